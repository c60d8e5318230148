/** RFC 5321: what fits into a path. */
export const longestEmail = 254
