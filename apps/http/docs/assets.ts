import { readFile } from 'node:fs/promises'

/** The script of the documentation page, compressed: made when the rest is built. */
export const REFERENCE = 'reference.js.gz'

/** What is built has it beside itself; sources find it in what was built last. */
const folder = import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : './assets/'

let read: Promise<Buffer> | undefined

/** The script of the documentation page, compressed by gzip; read when it is first asked for. */
export const referenceScript = (): Promise<Buffer> => {
  read ??= readFile(new URL(`${folder}${REFERENCE}`, import.meta.url))
  return read
}
