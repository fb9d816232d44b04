import test from 'ava'
import {
  CAMEL_CASE,
  nullIfAbsent,
  optional,
  PROGRAM,
  SNAKE_CASE,
  withDefault,
} from '../../../../core/kernel/input/field.ts'
import { image } from '../../../../core/kernel/input/image.ts'
import { either, group, input, notBefore, object, sameAs } from '../../../../core/kernel/input/input.ts'
import { jsonObject } from '../../../../core/kernel/input/json.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import {
  day,
  email,
  flag,
  hundredths,
  id,
  line,
  money,
  oneOf,
  taxId,
  text,
} from '../../../../core/kernel/input/scalars.ts'
import { outcome } from './reads.ts'

const TODAY = '2026-11-22'

const fields = {
  valueCents: money({ wire: 'value', aliases: ['amount'], minCents: 1, about: 'Valor' }),
  dueDate: day({ about: 'Vencimento' }),
  firstDay: optional(day()),
  discountHundredths: nullIfAbsent(hundredths({ min: 0, max: 100, wire: 'discount' })),
  paymentMethod: withDefault(oneOf(['PIX', 'BOLETO']), 'PIX'),
  metadata: nullIfAbsent(jsonObject()),
}

const payer = either(
  { clientId: id() },
  { name: line({ max: 20 }), email: email(), document: taxId(), phone: nullIfAbsent(text({ max: 5 })) },
)

const newCharge = input('NewCharge', { ...fields, payer }, notBefore('dueDate', 'firstDay'))

const GIVEN = { valueCents: 1_250, dueDate: '2030-01-01', payer: { clientId: 3 } }
const CHECKED = { ...GIVEN, discountHundredths: null, paymentMethod: 'PIX' as const, metadata: null }

test('both sides decode to the same value from their own names and formats', (t) => {
  const onWire = newCharge.on(SNAKE_CASE)
  t.deepEqual(outcome(onWire.decode({ value: 12.5, due_date: '2030-01-01', client_id: 3 })), { decoded: CHECKED })
  t.deepEqual(outcome(onWire.decode({ amount: 12.5, due_date: '2030-01-01', client_id: 3 })), { decoded: CHECKED })
  t.deepEqual(outcome(newCharge.check(GIVEN, TODAY)), { decoded: CHECKED })
  const camel = { value: 12.5, dueDate: '2030-01-01', clientId: 3, metadata: { b: 1, a: 2 } }
  t.deepEqual(outcome(newCharge.on(CAMEL_CASE).decode(camel)), { decoded: { ...CHECKED, metadata: '{"a":2,"b":1}' } })
})

test('checking a decoded value again changes nothing', (t) => {
  const given = { ...GIVEN, metadata: { b: 1, a: 2 }, discountHundredths: 250 }
  const decoded = { ...CHECKED, metadata: '{"a":2,"b":1}', discountHundredths: 250 }
  t.deepEqual(outcome(newCharge.check(given, TODAY)), { decoded })
  t.deepEqual(outcome(newCharge.check(decoded, TODAY)), { decoded })
})

test('each side gets issues by its own names', (t) => {
  const sent = { value: -1, due_date: '2029-01-01', first_day: '2030-01-01', name: 'Ana', email: 'x', metadata: [] }
  t.deepEqual(outcome(newCharge.on(SNAKE_CASE).decode(sent)), {
    issues: [
      'value money.min 0.01',
      'metadata object',
      'email email',
      'document required',
      'due_date not-before first_day',
    ],
  })
  const given = {
    valueCents: 10.5,
    dueDate: '2029-01-01',
    firstDay: '2030-01-01',
    payer: { name: 'Ana', email: 'x', document: '1' },
    metadata: '[]',
  }
  t.deepEqual(outcome(newCharge.check(given, TODAY)), {
    issues: [
      'valueCents integer',
      'metadata object',
      'payer.email email',
      'payer.document document',
      'dueDate not-before firstDay',
    ],
  })
})

test('check never throws', (t) => {
  const payers = [{ payer: null }, { payer: 3 }, { payer: [] }]
  for (const given of [null, undefined, 3, 'x', [], {}, ...payers, { valueCents: Number.NaN }])
    t.true('issues' in outcome(newCharge.check(given as never, TODAY)), String(given))
})

test('either chooses the first table if its first field is present, and validates the other too', (t) => {
  const { decode } = newCharge.on(SNAKE_CASE)
  const charge = { value: 1, due_date: '2030-01-01' }
  t.like(outcome(decode({ ...charge, client_id: 3, name: 'Ana', email: 'x' })), { issues: ['email email'] })
  t.like(outcome(decode({ ...charge, client_id: 'x' })), { issues: ['client_id integer'] })
  t.like(outcome(decode({ ...charge, client_id: null })), {
    issues: ['name required', 'email required', 'document required'],
  })
  const ana = { name: 'Ana', email: 'ana@example.com', document: '52998224725' }
  t.like(outcome(decode({ ...charge, ...ana })), { decoded: { payer: { ...ana, phone: null } } })
})

test('pathOf converts the paths of a decision to the names of a side', (t) => {
  const { pathOf } = newCharge.on(SNAKE_CASE)
  t.deepEqual(
    ['valueCents', 'dueDate', 'payer.clientId', 'payer.document', 'discountHundredths', 'metadata.0.someKey'].map(
      pathOf,
    ),
    ['value', 'due_date', 'client_id', 'document', 'discount', 'metadata.0.some_key'],
  )
  t.is(newCharge.on(PROGRAM).pathOf('payer.clientId'), 'payer.clientId')
})

test('a schema has the names and descriptions of its side, those of groups included', (t) => {
  const { schema, fields: named } = newCharge.on(SNAKE_CASE)
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> }
  t.is(
    Object.keys(properties).join(' '),
    'value amount due_date first_day discount payment_method metadata client_id name email document phone',
  )
  t.deepEqual(
    Object.keys(named),
    Object.keys(properties).filter((name) => name !== 'amount'),
  )
  t.is(named.client_id?.isOptional, true)
  t.deepEqual(Object.keys(filter.on(SNAKE_CASE).fields).slice(0, 3), [
    'created_at_start',
    'created_at_end',
    'status_id',
  ])
  t.is(properties.value?.description, 'Valor. Reais, com até 2 casas decimais.')
  t.is(properties.due_date?.description, 'Vencimento')
})

const filter = input('ChargeFilter', {
  created: inQuery.range('created_at', 'Criação'),
  statuses: inQuery.positions(['pending', 'paid'], { wire: 'status_id' }),
  orderBy: inQuery.field(['createdAt', 'dueDate']),
  clientId: inQuery.integer({ min: 1 }),
  ids: inQuery.integers({ aliases: ['ids[]'] }),
  unread: inQuery.flag(),
  page: inQuery.page(),
})

test('a filter takes texts on the wire and values in the program', (t) => {
  const sent = {
    created_at_start: '2026-01-01',
    created_at_end: '',
    status_id: '2,1,2',
    order_by: 'due_date',
    client_id: '7',
    'ids[]': ['1', '2'],
    unread: '1',
  }
  const decoded = {
    created: { from: '2026-01-01' },
    statuses: ['paid', 'pending'],
    orderBy: 'dueDate',
    clientId: 7,
    ids: [1, 2],
    unread: true,
    page: 1,
  } as const
  t.deepEqual(outcome(filter.on(SNAKE_CASE).decode(sent)), { decoded })
  t.deepEqual(outcome(filter.check(decoded, TODAY)), { decoded })
  t.deepEqual(outcome(filter.check({}, TODAY)), { decoded: { created: {}, page: 1 } })
  t.deepEqual(outcome(filter.check({ orderBy: 'id', statuses: ['x'], clientId: '7' } as never, TODAY)), {
    issues: ['statuses.0 one-of pending, paid', 'orderBy one-of createdAt, dueDate', 'clientId integer'],
  })
})

test('a filter of any field parses the text of its value', (t) => {
  const any = input(null, {
    count: inQuery.any(nullIfAbsent(id()) as never),
    open: inQuery.any(flag() as never),
    word: inQuery.any(oneOf(['a']) as never),
  })
  t.deepEqual(outcome(any.decode({ count: '7', open: '1', word: 'a' })), {
    decoded: { count: 7, open: true, word: 'a' },
  })
  t.deepEqual(outcome(any.decode({ count: '', open: ' ' })), { decoded: {} })
  t.deepEqual(outcome(any.decode({ count: '1.5', open: 'sim', word: 'b' })), {
    issues: ['count integer', 'open flag', 'word one-of a'],
  })
  t.deepEqual(outcome(any.check({ count: 7, open: true } as never, TODAY)), { decoded: { count: 7, open: true } })
})

test('wrong filters are reported by the names of their side', (t) => {
  const { decode } = filter.on(SNAKE_CASE)
  t.deepEqual(outcome(decode({ status_id: '3', order_by: 'dueDate', page: '0' })), {
    issues: ['status_id integer.max 2', 'order_by one-of created_at, due_date', 'page integer.min 1'],
  })
  const turned = { created_at_start: '2026-02-01', created_at_end: '2026-01-01' }
  t.deepEqual(outcome(decode(turned)), { issues: ['created_at_end not-before created_at_start'] })
  const given = { created: { from: '2026-02-01', to: '2026-01-01' } }
  t.deepEqual(outcome(filter.check(given, TODAY)), { issues: ['created.to not-before from'] })
})

test('a nested object has its own names and rules', (t) => {
  const secrets = input(
    null,
    { newPin: text({ max: 6 }), newPinAgain: text({ max: 6 }) },
    sameAs('newPinAgain', 'newPin'),
  )
  const change = input(null, { pinChange: object(secrets), place: group({ zipCode: text({ max: 9 }) }) })
  const sent = { pin_change: { new_pin: '1', new_pin_again: '2' }, zip_code: 1 }
  t.deepEqual(outcome(change.on(SNAKE_CASE).decode(sent)), {
    issues: ['pin_change.new_pin_again same-as new_pin', 'zip_code text'],
  })
  t.is(change.on(SNAKE_CASE).pathOf('pinChange.newPin'), 'pin_change.new_pin')
  t.deepEqual(outcome(change.check({ pinChange: { newPin: '1', newPinAgain: '1' }, place: { zipCode: '2' } }, TODAY)), {
    decoded: { pinChange: { newPin: '1', newPinAgain: '1' }, place: { zipCode: '2' } },
  })
})

test('converts the case of texts and leaves images unchanged on both sides', (t) => {
  const logo = { contentType: 'image/png', bytes: new Uint8Array(1) } as const
  const fields = { state: text({ max: 2, casing: 'upper' }), logo: image({ types: ['image/png'], wire: 'path_logo' }) }
  const address = input(null, fields)
  const decoded = { state: 'RS', logo }
  t.deepEqual(outcome(address.on(SNAKE_CASE).decode({ state: 'rs', path_logo: logo })), { decoded })
  t.deepEqual(outcome(address.check({ state: 'rs', logo }, TODAY)), { decoded })
  t.deepEqual(outcome(address.check(decoded, TODAY)), { decoded })
})
