/**
 * The kinds of fields, and the inputs, queries and views that they make. Columns and images are imported by their own
 * files.
 */

export * from './field.ts'
export * from './input.ts'
export * from './json.ts'
export * from './query.ts'
export * from './scalars.ts'
export * from './view.ts'
