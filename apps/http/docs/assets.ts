import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Files of packages that are served as they are, by the names under which the built package has them. */
export const ASSETS = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
} as const

export type Asset = keyof typeof ASSETS

/** Sources find such a file in its package; what is built has it beside itself. */
const placeOf = (name: Asset): string | URL =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve(ASSETS[name])
    : new URL(`./assets/${name}`, import.meta.url)

/** A file to be served, read when it is first asked for. */
export const assetOf = (name: Asset): (() => Promise<Buffer>) => {
  let read: Promise<Buffer> | undefined
  return () => {
    read ??= readFile(placeOf(name))
    return read
  }
}
