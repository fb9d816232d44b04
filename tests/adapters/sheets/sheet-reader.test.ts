import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { sheetReader } from '../../../adapters/sheets/sheet-reader.ts'

const MANY = 1_000

const read = async (text: string, most = MANY) => {
  const got = await sheetReader.csv(text, most)
  return got.is === 'read' ? got.lines : got
}
const cellsOf = async (text: string) => {
  const got = await read(text)
  return 'line' in got ? got : got.map(({ cells }) => cells)
}

test('takes the first separator of the titles as the delimiter', async (t) => {
  for (const [text, ...rows] of [
    ['a;b\n1,5;2\n', ['a', 'b'], ['1,5', '2']],
    ['\ufeffa,b\r\n1;5,2', ['a', 'b'], ['1;5', '2']],
    ['\n\r\na\tb\n1,5\t2;3', ['a', 'b'], ['1,5', '2;3']],
    ['a\n1;2', ['a'], ['1;2']],
    [''],
  ] as const)
    t.deepEqual(await cellsOf(text), rows as never, text)
})

test('returns the first line of each record', async (t) => {
  const text = 'a;b\r\n"x\r\ny\nz";1\n\n;;\n"";2\n3;"\n\n"\n4'
  t.deepEqual(await read(text), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\r\ny\nz', '1'] },
    { line: 7, cells: ['', '2'] },
    { line: 8, cells: ['3', '\n\n'] },
    { line: 11, cells: ['4'] },
  ])
})

test('returns the line of a malformed record, but not beyond the requested number', async (t) => {
  for (const wrong of ['"2', '2"', '"2"3', `"${'x'.repeat(600_000)}"`, ';'.repeat(1_001)])
    t.deepEqual(await read(`a;b\n1;"\n"\n${wrong};4\n5;6`), { is: 'malformed', line: 4 } as never, wrong.slice(0, 10))
  t.deepEqual(await read(`a;b\n1;2\n"3`, 2), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', '2'] },
  ])
})

test('reads any table that was written as CSV', async (t) => {
  const cell = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('"', '\n', 'ç', '🎈', ';', ',', '=1', "'"))
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 20 })
  const form = fc.record({ delimiter: fc.constantFrom(',', ';'), record_delimiter: fc.constantFrom('\n', '\r\n') })
  await fc.assert(
    fc.asyncProperty(table, form, async (rows, how) => {
      // The writer would end a record at a lone carriage return.
      const clean = rows.map((row) => ['x', ...row.map((text) => text.replaceAll('\r', ''))])
      const text = stringify([['a', 'b'], ...clean], { ...how, quoted_match: /[\r\n]/ })
      t.deepEqual(await cellsOf(text), [['a', 'b'], ...clean])
    }),
    { numRuns: 100 },
  )
})

test('accepts 10,000 empty lines and no more', async (t) => {
  const blank = (count: number, line: string) => `a,b\n${line.repeat(count)}1,2\n`
  for (const line of ['\n', ',\n', ' , \r\n']) {
    t.deepEqual(await read(blank(10_000, line)), [
      { line: 1, cells: ['a', 'b'] },
      { line: 10_002, cells: ['1', '2'] },
    ])
    t.like(await read(blank(10_001, line)), { is: 'malformed', line: 10_002 })
  }
})

for (const [what, text, lines, leastTurns] of [
  ['records of another width', `a,b,c\n${'x,y\n'.repeat(5_000)}`, 5_001, 31],
  ['empty lines', `a,b,c\n${'\n'.repeat(1_000_000)}`, null, 31],
  ['a large file', 'a,b\n'.repeat(100_000), 100_000, Math.ceil(400_000 / 32_768)],
] as const)
  test(`lets the event loop run while it reads ${what}`, async (t) => {
    let turns = 0
    let isRead = false
    const reading = read(text, 1_000_000).finally(() => {
      isRead = true
    })
    while (!isRead) {
      turns += 1
      await setImmediate()
    }
    const found = await reading
    t.is('line' in found ? null : found.length, lines)
    t.true(turns >= leastTurns, `${turns}`)
  })
