import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isLeft } from '../../core/fp.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexTable, readIndexRows } from './index-table.ts'

/** The file is no table of indexes. */
export class WrongIndexFile extends Error {
  override readonly name = 'WrongIndexFile'
}

const tableOf = (path: string, text: string): PriceIndexes => {
  const rows = readIndexRows(text)
  if (isLeft(rows)) throw new WrongIndexFile(`${path} ${rows.left}`)
  return indexTable(rows.right)
}

/** A file is another one when it was written again. */
const versionOf = ({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string =>
  `${mtimeMs} ${size}`

/**
 * Indexes of a JSON file, read again when it was written: each month has new figures, and nobody restarts a server for them.
 * A file that is no table any more leaves what was known, and `warn` hears of it once. Throws `WrongIndexFile`, or why the file
 * cannot be read, where it is not one to begin with.
 */
export const indexFile = (path: string, warn: (line: string) => void): PriceIndexes => {
  let version = versionOf(statSync(path))
  let known = tableOf(path, readFileSync(path, 'utf8'))
  const refresh = async () => {
    const found = versionOf(await stat(path))
    if (found === version) return
    version = found
    known = tableOf(path, await readFile(path, 'utf8'))
  }
  let warned = ''
  return {
    async figures(series, months) {
      try {
        await refresh()
        warned = ''
      } catch (error) {
        const line = `the table of indexes stays as it was: ${error instanceof Error ? error.message : error}`
        if (line !== warned) warn(line)
        warned = line
      }
      return known.figures(series, months)
    },
  }
}
