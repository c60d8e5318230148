/** The row of a file as a spreadsheet numbers it, of a row of data: the header is row 1. */
export const rowInFile = (index: number): number => index + 2
