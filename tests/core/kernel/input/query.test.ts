import { parse } from 'node:querystring'
import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../core/failure.ts'
import { optional, required, withDefault } from '../../../../core/kernel/input/field.ts'
import { allOrNone, input, notBefore, refuseOperators } from '../../../../core/kernel/input/input.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import { taxId } from '../../../../core/kernel/input/scalars.ts'
import { anyText } from '../../../any-text.ts'
import { everyFilter } from './every-field.ts'
import { decodes, each, line, outcome, refuses } from './reads.ts'

const charges = input(
  null,
  {
    search: inQuery.text(),
    status_id: inQuery.integers(),
    payment_method: inQuery.words(['PIX', 'BOLETO']),
    order_dir: withDefault(inQuery.oneOf(['asc', 'desc']), 'desc'),
    start: inQuery.day(),
    end: inQuery.day(),
    page: inQuery.page(),
    per_page: inQuery.perPage({ aliases: ['perPage'] }),
  },
  allOrNone('start', 'end'),
  notBefore('end', 'start'),
)

const usual = { order_dir: 'desc', page: 1, per_page: 15 }
const read = (text: string) => outcome(charges.decode(parse(text)))

test('an empty query has its defaults; blanks and unknown keys do not filter', (t) => {
  t.deepEqual(read(''), { decoded: usual })
  t.deepEqual(read('search=&status_id=,&payment_method=&order_dir=&start=%20&foo=1&foo=2&sort'), { decoded: usual })
  t.deepEqual(read('status_id[$ne]=1&search[$regex]=^(a%2B)%2B$&page[]=x&__proto__=1&constructor=2'), {
    decoded: usual,
  })
})

test('a full query', (t) => {
  t.deepEqual(
    read(
      'search=%20Jose%CC%81&status_id=1,2&status_id=2&payment_method=PIX,%20BOLETO&start=2026-01-01&end=2026-01-31&page=2&perPage=500&order_dir=asc',
    ),
    {
      decoded: {
        search: 'José',
        status_id: [1, 2],
        payment_method: ['PIX', 'BOLETO'],
        order_dir: 'asc',
        start: '2026-01-01',
        end: '2026-01-31',
        page: 2,
        per_page: 500,
      },
    },
  )
})

test('reports every wrong value under its key, with those of rules', (t) => {
  t.deepEqual(
    read('search=a&search=b&status_id=1,x,y&payment_method=pix&order_dir=up&page=0&per_page=501&start=2026-01-02'),
    {
      issues: [
        'search repeated',
        'status_id integer',
        'payment_method one-of PIX, BOLETO',
        'order_dir one-of asc, desc',
        'page integer.min 1',
        'per_page integer.max 500',
        'end required',
      ],
    },
  )
  t.deepEqual(read('start=2026-01-02&end=2026-01-01'), { issues: ['end not-before start'] })
})

test('reports one issue for a value that is not an object', (t) => {
  for (const value of [undefined, null, 'a=1', ['a']])
    t.deepEqual(outcome(charges.decode(value)), { issues: ['object'] })
})

refuses('page', inQuery.page(), [
  ...each(
    'integer',
    '',
    ' ',
    'x',
    '1.5',
    '1.0',
    '1.',
    '1e3',
    '0x1',
    '+1',
    ' 1',
    '１',
    '1,2',
    '9'.repeat(17),
    '9'.repeat(16),
  ),
  ...each('integer.min 1', '0', '-0', '-1'),
  ['100000000001', 'integer.max 100000000000'],
  [['1', '2'], 'repeated'],
])
decodes('per page', inQuery.perPage({ default: 1_000, max: 10_000 }), [
  [undefined, 1_000],
  ['10000', 10_000],
])
refuses('per page', inQuery.perPage(), [['501', 'integer.max 500']])

refuses('integer', inQuery.integer({ min: -1 }), [
  ['-2', 'integer.min -1'],
  ...each('integer', 'NaN', '1,50', '--1', '1 '),
  [5, 'integer'],
  [['1'], 'repeated'],
  [{ $gt: '1' }, 'integer'],
])

refuses('flag', inQuery.flag(), [...each('flag', 'TRUE', 'yes', 'on', '2', 'null', true, {}), [['1', '0'], 'repeated']])

refuses('integers', inQuery.integers({ min: 1 }), [
  ['1;2', 'integer'],
  ['0', 'integer.min 1'],
  [['1', 'x'], 'integer'],
  [[1], 'integer'],
  [{ $in: '1' }, 'integer'],
  [Array.from({ length: 101 }, (_, index) => index + 1).join(), 'list.max 100'],
  ['1,'.repeat(1_000), 'list.max 100'],
])

refuses('text', inQuery.text({ max: 3 }), [
  ['abcd', 'text.max 3'],
  ['\0', 'text.malformed'],
  [['a'], 'repeated'],
  [{ a: 1 }, 'text'],
])
refuses('required day', required(inQuery.day()), [
  ...each('required', undefined, '', ' '),
  ...each('day', 'today', '2026-1-1'),
])
refuses('any text field', inQuery.of(taxId()), [['529.982.247-26', 'document']])

test('an optional page has no default', (t) => {
  const list = input(null, { page: optional(inQuery.page()), per_page: optional(inQuery.perPage()) })
  t.deepEqual(outcome(list.decode({})), { decoded: {} })
  t.deepEqual(outcome(list.decode({ page: '2' })), { decoded: { page: 2 } })
})

test('an input that refuses operators reports each key once, beside other issues', (t) => {
  const visits = refuseOperators(
    input(null, {
      status: inQuery.oneOf(['Done']),
      page: inQuery.page(),
      ids: inQuery.integers({ aliases: ['ids[]'] }),
    }),
  )
  const read = (text: string) => outcome(visits.decode(parse(text)))
  t.deepEqual(read('status=Done&foo=1&ids[]=4'), { decoded: { status: 'Done', page: 1, ids: [4] } })
  t.deepEqual(read('status[$ne]=x&status[$gt]=y&page=0'), { issues: ['page integer.min 1', 'status operator'] })
  t.deepEqual(read('$where=1&a.$gt=1&[]=1&[$ne]=2'), { issues: ['$where operator', 'a operator', '[ operator'] })
  t.deepEqual(outcome(visits.decode(null)), { issues: ['object'] })
  const [{ path = '' } = {}] = [visits.decode({ [`${'k'.repeat(10_000)}[$ne]`]: '' })].flatMap((got) =>
    isLeft(got) ? got.left : [],
  )
  t.is(path.length, 100)
})

const texts = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom('1', '-1', '0', 'true', 'PIX', '2026-01-01', '1,2', '', ',', '1e3', '99999999999999999999'),
)
const values = fc.oneof(texts, fc.array(texts, { maxLength: 3 }), fc.constant(undefined))

test('decodes or refuses any query and never throws', (t) => {
  const whole = input(null, Object.fromEntries(Object.entries(everyFilter).map(([key, { field }]) => [key, field])))
  const property = fc.property(fc.constantFrom(...Object.entries(everyFilter)), values, ([key, { field }], value) => {
    const got = field.read(value)
    const inAll = whole.decode({ [key]: value })
    if (isLeft(got)) {
      t.true(isLeft(inAll) && inAll.left.some((one) => line(one).startsWith(key)))
      return
    }
    t.true(field.is(got.right), key)
    t.deepEqual(field.read(field.encode(got.right)), got, key)
  })
  fc.assert(property, { numRuns: 5_000 })
})
