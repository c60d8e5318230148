export type Json = { readonly [name: string]: unknown }

export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? { ...value } : {}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
