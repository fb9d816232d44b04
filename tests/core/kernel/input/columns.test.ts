import test from 'ava'
import { columnsOf } from '../../../../core/kernel/input/columns.ts'
import { CAMEL_CASE, list, nullIfAbsent, SNAKE_CASE, withDefault } from '../../../../core/kernel/input/field.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { decimal, flag, integer, line, money } from '../../../../core/kernel/input/scalars.ts'

const place = input(null, { city: line({ max: 50 }), unit: nullIfAbsent(line({ max: 50 })) })
const sold = input('Sold', {
  name: line({ max: 50 }),
  priceCents: nullIfAbsent(money({ wire: 'price' })),
  size: nullIfAbsent(decimal({ min: 0, max: 1_000, decimals: 3 })),
  rooms: nullIfAbsent(integer()),
  isNew: withDefault(flag(), false),
  labels: withDefault(list(line({ max: 50 }), { max: 3 }), []),
  sizes: withDefault(list(integer(), { max: 3 }), []),
  homeAddress: object(place),
  workAddress: nullIfAbsent(object(place)),
})
const columns = columnsOf(sold, CAMEL_CASE)

const readCells = (...cells: readonly (readonly [title: string, cell: string])[]) =>
  columns.readRow(
    cells.map(([title]) => title),
    cells.map(([, cell]) => cell),
  ).value

test('titles are the names of the fields on a side', (t) => {
  t.deepEqual(columns.titleIssues(['name', 'price', 'homeAddress.city', 'workAddress.unit', '']), [])
  t.deepEqual(columnsOf(sold, SNAKE_CASE).titleIssues(['name', 'is_new', 'home_address.city']), [])
  t.deepEqual(columns.titleIssues(['priceCents', 'labels', 'labels', 'labels', 'homeAddress', 'toString']), [
    { path: 'priceCents', code: 'column.unknown' },
    { path: 'homeAddress', code: 'column.unknown' },
    { path: 'toString', code: 'column.unknown' },
    { path: 'labels', code: 'repeated' },
    { path: 'name', code: 'required' },
    { path: 'homeAddress.city', code: 'required' },
  ])
})

test('a cell is parsed as the number, boolean or list of its field', (t) => {
  const plain = { '1500': 1500, ' 2500,5 ': 2500.5, '-0.125': -0.125, '12.5': 12.5, 'R$ 10': 10 }
  const grouped = { '2.500,00': 2500, '1.000.000': 1_000_000, '2,500.50': 2500.5, '-1.234.567,8': -1_234_567.8 }
  for (const [cell, value] of Object.entries({ ...plain, ...grouped }))
    t.deepEqual(readCells(['price', cell]), { price: value, homeAddress: {} })
  for (const cell of ['1.500', '12.345', '1.50,00', '1,500,00', '0.500,00', '1e3', '0x1', '=1', '+1', '1 500', '१'])
    t.deepEqual(readCells(['size', cell]), { size: cell, homeAddress: {} })
  // Reais have two decimals, so this comma does not precede decimals.
  t.deepEqual(readCells(['price', '2,500'], ['size', '2,500']), { price: '2,500', size: 2.5, homeAddress: {} })
  for (const [cell, value] of Object.entries({ true: true, '0': false, sim: 'sim' }))
    t.deepEqual(readCells(['isNew', cell]), { isNew: value, homeAddress: {} })
  t.deepEqual(readCells(['labels', 'a | b|']), { labels: ['a', 'b', ''], homeAddress: {} })
  t.deepEqual(readCells(['sizes', '1|x']), { sizes: [1, 'x'], homeAddress: {} })
  t.deepEqual(readCells(['name', ' 007 ']), { name: ' 007 ', homeAddress: {} })
})

test('an empty cell is missing, and so is an optional object without cells', (t) => {
  t.deepEqual(readCells(['name', ' '], ['workAddress.city', ''], ['homeAddress.unit', 'A']), {
    homeAddress: { unit: 'A' },
  })
  t.deepEqual(readCells(['workAddress.unit', 'B']), { homeAddress: {}, workAddress: { unit: 'B' } })
})

test('cells without a title are reported once, by position', (t) => {
  const row = columns.readRow(['name', '', 'rooms'], ['a', 'b', '2', 'c', ''])
  t.deepEqual(row.value, { name: 'a', rooms: 2, homeAddress: {} })
  t.deepEqual(row.issues, [{ path: '#2', code: 'column.unknown' }])
  t.deepEqual(columns.readRow(['name', ''], ['a', ' ', '']).issues, [])
})
