import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { indexFile } from '../../../adapters/indexes/index-file.ts'
import { indexTable, readIndexRows } from '../../../adapters/indexes/index-table.ts'
import { isLeft } from '../../../core/failure.ts'
import { folder } from '../../apps/host/disk.ts'

const ROW = { series: 'IGPM', month: '2026-10', percent: -0.34, source: 'BCB SGS 189', date: '2026-10-30' }

const errorOf = (rows: unknown) => {
  const read = readIndexRows(typeof rows === 'string' ? rows : JSON.stringify(rows))
  return isLeft(read) ? read.left : null
}

test('reads a list of figures, and names an error by its path', (t) => {
  t.is(errorOf([ROW]), null)
  t.is(errorOf([]), null)
  t.is(errorOf('{'), 'is not JSON')
  t.is(errorOf({ ...ROW }), 'has an invalid rows (list)')
  t.is(errorOf([ROW, { ...ROW, month: '2026-13' }]), 'has an invalid rows.1.month (month)')
  t.is(errorOf([{ ...ROW, series: 'INPC' }]), 'has an invalid rows.0.series (one-of)')
  t.is(errorOf([{ ...ROW, percent: '0.5' }]), 'has an invalid rows.0.percent (number)')
  t.is(errorOf([{ ...ROW, percent: 0.123_45 }]), 'has an invalid rows.0.percent (number.decimals)')
  t.is(errorOf([{ ...ROW, source: ' ' }]), 'has an invalid rows.0.source (required)')
})

test('finds figures by series and month, and the latest correction of each', async (t) => {
  const corrected = { ...ROW, percent: 0.1, date: '2026-11-15' }
  const { series: _, ...figure } = corrected
  const table = indexTable([corrected, ROW, { ...ROW, series: 'IPCA' }] as never)
  t.deepEqual([...(await table.figures('IGPM', ['2026-09', '2026-10']))], [['2026-10', figure]])
  t.deepEqual([...(await table.figures('IPCA', ['2026-09']))], [])
})

const fileIn = async (t: ExecutionContext, text: string) => {
  const directory = await folder(t)
  const path = join(directory, 'indexes.json')
  let second = 0
  const write = async (next: string) => {
    second += 1
    await writeFile(path, next)
    // Each write needs a different time.
    await utimes(path, second, second)
  }
  await write(text)
  return { path, write }
}

test('reads a changed file again, and keeps the last valid figures if it is invalid', async (t) => {
  const { path, write } = await fileIn(t, '[]')
  const heard: string[] = []
  const indexes = indexFile(path, (line) => heard.push(line))
  const percents = async () => [...(await indexes.figures('IGPM', ['2026-10'])).values()].map(({ percent }) => percent)
  t.deepEqual(await percents(), [])
  await write(JSON.stringify([ROW]))
  t.deepEqual(await percents(), [-0.34])
  await write('[')
  t.deepEqual(await percents(), [-0.34])
  t.deepEqual(await percents(), [-0.34])
  t.is(heard.length, 1)
  t.regex(heard[0] ?? '', /indexes\.json is not JSON/)
  await write(JSON.stringify([{ ...ROW, percent: 1 }]))
  t.deepEqual(await percents(), [1])
})

test('throws for a missing or invalid file', async (t) => {
  t.throws(() => indexFile('/nowhere/indexes.json', () => {}), { code: 'ENOENT' })
  const { path } = await fileIn(t, '{"series":1}')
  t.throws(() => indexFile(path, () => {}), { name: 'WrongIndexFile' })
})
