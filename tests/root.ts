import { resolve } from 'node:path'

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '..')
