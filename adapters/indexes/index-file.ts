import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isLeft } from '../../core/failure.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexTable, readIndexRows } from './index-table.ts'

/** The file is not a valid table of price indexes. */
export class WrongIndexFile extends Error {
  override readonly name = 'WrongIndexFile'
}

const tableOf = (path: string, text: string): PriceIndexes => {
  const rows = readIndexRows(text)
  if (isLeft(rows)) throw new WrongIndexFile(`${path} ${rows.left}`)
  return indexTable(rows.right)
}

/** Changes when the file is written. */
const versionOf = ({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string =>
  `${mtimeMs} ${size}`

/**
 * Reads price indexes from a JSON file, again whenever the file changes, because figures are published every month. If
 * a new version is invalid, the last valid one is used and `warn` is called once. Throws `WrongIndexFile`, or the error
 * of the file system, if the first version cannot be read.
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
  let lastWarning = ''
  return {
    async figures(series, months) {
      try {
        await refresh()
        lastWarning = ''
      } catch (error) {
        const line = `the price indexes were not updated: ${error instanceof Error ? error.message : error}`
        if (line !== lastWarning) warn(line)
        lastWarning = line
      }
      return known.figures(series, months)
    },
  }
}
