import { readFile } from 'node:fs/promises'

/** What is built has them beside itself; sources find them in what was built last. */
const folder = import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : './assets/'

const read = new Map<string, Promise<Buffer>>()

/** A file that is served and was made when the rest was built, compressed by gzip; read when it is first asked for. */
export const zippedAsset = (name: string): Promise<Buffer> => {
  const asset = read.get(name) ?? readFile(new URL(`${folder}${name}`, import.meta.url))
  read.set(name, asset)
  return asset
}
