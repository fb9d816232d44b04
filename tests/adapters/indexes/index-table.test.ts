import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { indexFile } from '../../../adapters/indexes/index-file.ts'
import { indexTable, readIndexRows } from '../../../adapters/indexes/index-table.ts'
import { isLeft } from '../../../core/fp.ts'

const ROW = { series: 'IGPM', month: '2026-10', percent: -0.34, source: 'BCB SGS 189', date: '2026-10-30' }

const why = (rows: unknown) => {
  const read = readIndexRows(typeof rows === 'string' ? rows : JSON.stringify(rows))
  return isLeft(read) ? read.left : null
}

test('a table of indexes is a list of figures, and what is wrong in it is named by its place', (t) => {
  t.is(why([ROW]), null)
  t.is(why([]), null)
  t.is(why('{'), 'is not JSON')
  t.is(why({ ...ROW }), 'has an invalid rows (list)')
  t.is(why([ROW, { ...ROW, month: '2026-13' }]), 'has an invalid rows.1.month (month)')
  t.is(why([{ ...ROW, series: 'INPC' }]), 'has an invalid rows.0.series (one-of)')
  t.is(why([{ ...ROW, percent: '0.5' }]), 'has an invalid rows.0.percent (number)')
  t.is(why([{ ...ROW, percent: 0.123_45 }]), 'has an invalid rows.0.percent (number.decimals)')
  t.is(why([{ ...ROW, source: ' ' }]), 'has an invalid rows.0.source (required)')
})

test('what is asked for is found by series and month, what was corrected as it was last', async (t) => {
  const corrected = { ...ROW, percent: 0.1, date: '2026-11-15' }
  const { series: _, ...figure } = corrected
  const table = indexTable([corrected, ROW, { ...ROW, series: 'IPCA' }] as never)
  t.deepEqual([...(await table.figures('IGPM', ['2026-09', '2026-10']))], [['2026-10', figure]])
  t.deepEqual([...(await table.figures('IPCA', ['2026-09']))], [])
})

const fileIn = async (t: ExecutionContext, text: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-indexes-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'indexes.json')
  let second = 0
  const write = async (next: string) => {
    second += 1
    await writeFile(path, next)
    // However fast: another time each.
    await utimes(path, second, second)
  }
  await write(text)
  return { path, write }
}

test('a file that is written again is read again, and one that became rubbish leaves what was known', async (t) => {
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

test('a file that is none, or no table, is refused at once', async (t) => {
  t.throws(() => indexFile('/nowhere/indexes.json', () => {}), { code: 'ENOENT' })
  const { path } = await fileIn(t, '{"series":1}')
  t.throws(() => indexFile(path, () => {}), { name: 'WrongIndexFile' })
})
