import test from 'ava'
import { rows as paymentsRows, rows } from '../../../apps/payments/catalogue.ts'
import { messages, type PaymentsCode, type PaymentsTexts } from '../../../apps/payments/messages.ts'
import { rows as estateRows } from '../../../apps/real-estate/catalogue.ts'
import { messages as estateMessages } from '../../../apps/real-estate/messages.ts'
import { failure } from '../../../core/failure.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { describedSuite } from '../rows/described.ts'
import { bodyLeaves, type Leaf, queryLeaves } from '../rows/fields.ts'
import { openTestApi } from './test-api.ts'

describedSuite(openTestApi, { paths: 51, schemas: 81, parameters: 51 })

type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test('names served routes that are not deprecated as replacements of deprecated ones', async (t) => {
  const api = await openTestApi(t)
  const { paths } = (await api.ask('GET', '/openapi.json')).body
  const operations = Object.values<JsonObject>(paths).flatMap((methods) => Object.values(methods).filter(isObject))
  const uses = operations.flatMap(({ deprecated, description }) =>
    deprecated === true && !`${description}`.endsWith('nenhuma outra a substitui.')
      ? [/use `([^`]+)`/.exec(`${description}`)?.[1] ?? '']
      : [],
  )
  t.true(uses.length > 8)
  t.deepEqual(
    uses.filter((use) => !Object.values<JsonObject>(paths[use] ?? {}).some(({ deprecated }) => deprecated !== true)),
    [],
  )
})

const METHODS = ['PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD']

test('documents only the accepted payment methods and event types', async (t) => {
  const api = await openTestApi(t)
  const { paths, components } = (await api.ask('GET', '/openapi.json')).body
  t.deepEqual(components.schemas.NewCharge.properties.payment_method.enum, METHODS)
  const filter = paths['/invoices'].get.parameters.find(({ name }: { name?: string }) => name === 'payment_method')
  t.deepEqual(filter.schema.items.enum, METHODS)
  t.deepEqual(
    components.schemas.WebhookDelivery.properties.event.enum,
    components.schemas.ChargeEvent.properties.type.enum,
  )
})

/** Limits of fields, by row: characters, items or values. The generated tests check that each row keeps to its own. */
const LIMITS: Readonly<Record<string, string>> = {
  'authentication.register': 'name 1..255, email ..255, password 8..1000, phone 1..20',
  'authentication.reset-password': 'code 6..40, password 8..1000',
  'authentication.verify-email': 'code 6..40',
  'legacy-auth.edit': 'new_password 6..1000',
  'legacy-auth.reset': 'token 1..255, password 6..1000',
  'legacy-auth.verify-email': 'verification_code 1..255',
  'registrations.begin': 'name 1..255, email ..255, address 1..255, document ..40',
  'registrations.confirm': 'document 11..14, code 4..40',
  'registrations.full': 'password 5..1000',
  'users.create': 'name 1..255, password 8..1000, phone 1..20',
  'manager-users.create': 'name 1..30, password 5..1000',
  'organizations.create': 'name 1..255, document ..20',
  'clients.create': 'name 1..255, email ..255, phone 1..20, document 1..20',
  'account.update': `name 1..100, notification_rules.before_due.message 1..500,
    notification_rules.before_due.days 0..365, smtp.port 1..65535`,
  'api-keys.rotate': 'expires_in 0..604800',
  'charges.list': 'search 1..100, per_page 1..500',
  'charges.issue': `value 0.01..9999999999.99, name 1..255, phone 1..20, description 1..500, details 1..2000, fine 0..100000,
    amount_rate 0..100000, days_discount 0..365, installments 1..120, address.state 1..2, card.cardholder_name 1..100`,
  'charges.update': 'value 0.01..9999999999.99, description 1..500',
  'charges.refund': 'value 0.01..9999999999.99, reason 1..140, end_to_end_id 1..100',
  'charges.notify-many': 'ids 0..300, channels 1..3, message 1..1000',
  'public.charge': 'code 1..100',
  'recipients.start': 'keypix 1..99, message 1..255',
  'pix.withdraw': 'value 0.01..9999999999.99, message 1..140',
  'pix.withdraw-bank': 'agency 1..4, message 1..140',
  'legacy-withdrawals.saida-sicred': 'mount 0.01..9999999999.99, message 1..99',
  'checkout.pay': 'name 1..255, document 1..20, installments 1..12',
  'consolidation.transactions': 'search 1..100, per_page 1..500',
  'consolidation.extract': 'search 1..255, per_page 1..10000',
  'extracts.list': 'search 1..100, per_page 1..500',
  'groups.create': 'name 1..255, slug 1..100, description 1..2000',
  'groups.update': 'name 1..255, slug 1..255, code 1..50',
  'instant-pix.create': 'name 1..100',
  'instant-pix.list': 'txid 1..100, per_page 1..500',
  'legacy-clients.create': 'name 1..255, phone 1..20, metadata 0..200, fb_access_token 1..1000',
  'links.create': `title 1..255, amount 0.01..9999999999.99, payment_methods 1..3, success_url ..2048,
    reference_code 1..255, installments 1..12`,
  'links.list': 'search 1..100, per_page 1..500',
  'plans.create': 'description 1..255, interval 1.., installments_count 1..120',
  'statistics.read': 'cards 1..100',
  'card-sales.entries': 'perPage 1..100',
  'transfers.send': 'amount 0.01..9999999999.99, description 1..255',
}

const limitOf = ({ name, schema }: Leaf): string => {
  const least = schema.minLength ?? schema.minimum ?? schema.minItems ?? ''
  return `${name} ${least}..${schema.maxLength ?? schema.maximum ?? schema.maxItems ?? ''}`
}

test('keeps the limits of fields that callers rely on', (t) => {
  const limits = Object.entries(LIMITS).flatMap(([name, text]) => text.split(/,\s+/).map((limit) => [name, limit]))
  const found = Object.fromEntries(
    rows.map((row) => [row.name, [...bodyLeaves(row), ...queryLeaves(row)].map(limitOf)]),
  )
  t.deepEqual(
    limits.filter(([name = '', limit = '']) => !found[name]?.includes(limit)),
    [],
  )
})

test('neither a text without a code nor a code without a text compiles', (t) => {
  // @ts-expect-error: no failure has this code.
  const extra: Partial<PaymentsTexts['failures']> = { 'never-heard-of': { status: 400, message: 'Nunca.' } }
  // @ts-expect-error: no issue has this code.
  const wrong: Partial<PaymentsTexts['issues']> = { 'never-heard-of': 'Nunca.' }
  // @ts-expect-error: other codes lack a text.
  const missing: PaymentsTexts['failures'] = { 'pin.wrong': { status: 403, message: 'PIN inválido.' } }
  t.deepEqual(
    [extra, wrong, missing].map((each) => Object.keys(each).length),
    [1, 1, 1],
  )
})

test('every failure of a row has a message, and every taken value one of its field, in both apps', (t) => {
  const apps = [
    { own: messages, rows: paymentsRows },
    { own: estateMessages, rows: estateRows },
  ]
  for (const { own, rows } of apps) {
    const all = own.withResources(rows.flatMap(({ texts }) => texts ?? []))
    for (const { name, errors = {} } of rows)
      for (const code of Object.keys(errors)) {
        t.notThrows(() => all.codeDoc(code, errors), `${name}: ${code}`)
        if (/\..*\.taken$/.test(code)) t.true(all.issueCodes.includes(code), `${name}: ${code}`)
      }
  }
})

test('failures that only bank notifications cause have their own status', (t) => {
  const codes: readonly PaymentsCode[] = ['payment.elsewhere', 'payment.contradictory']
  for (const code of codes) {
    t.is(messages.codeDoc(code).status, 409)
    t.is(messages.textOf(failure('conflict', code)).status, 409)
  }
})
