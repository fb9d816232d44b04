import test from 'ava'
import { parse } from 'csv-parse/sync'
import { events } from '../../../core/payments/events.ts'
import { exports } from '../../../core/payments/exports/export.ts'
import { pagesOf, textOf } from '../../adapters/documents/printed-page.ts'
import { readWorkbook } from '../../adapters/sheets/read-workbook.ts'
import { anyDocument, anyEmail } from '../../core/payments/world.ts'
import { failure, type Merchant, openTestApi, pluck, type TestApi, worked } from './test-api.ts'

const TRANSACTIONS = '/consolidation/transactions/export-document'
const STATEMENT = '/consolidation/extract/export-document'

const endings: (() => unknown)[] = []
let api: TestApi
let merchant: Merchant

// Creates six entries: three payments on two days, each with a fee of 1.
test.before(async () => {
  api = await openTestApi({ teardown: (end) => endings.push(end) })
  merchant = await api.merchant()
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } })
  const issued = []
  for (const count of [1, 2, 3])
    issued.push(await api.charge(merchant, { value: count * 1_000, description: `=HYPERLINK(${count})` }))
  for (const [index, at] of [
    '2026-11-23T13:05:10.000Z',
    '2026-11-24T13:00:00.000Z',
    '2026-11-24T14:00:00.000Z',
  ].entries()) {
    api.clock.set(at)
    worked(await api.pay(issued[index].pix.txid))
  }
  merchant = await api.again(merchant)
})
test.after.always(async () => {
  for (const end of endings) await end()
})

/** Creates another merchant. */
const newMerchant = () => api.merchant(anyEmail(), anyDocument())

const post = (path: string, body: unknown, by: Pick<Merchant, 'token'> = merchant, headers = {}) =>
  api.ask('POST', path, { token: by.token, body, headers })
const download = (id: string) => api.ask('GET', `/consolidation/exports/download/${id}`)
const notificationsOf = async ({ token }: Merchant) =>
  worked(await api.ask('GET', '/access/auth/notifications', { token })).data as readonly {
    readonly id: string
    readonly type: string
    readonly data: Record<string, unknown>
  }[]

const csvOf = (text: string): readonly Record<string, string>[] =>
  parse(text, { bom: true, delimiter: ';', columns: true, record_delimiter: '\r\n' })

test.serial('returns the file with `download`, and stores and notifies nothing', async (t) => {
  const before = await api.everything()
  const answer = await post(TRANSACTIONS, { format: 'csv', download: true })
  t.is(answer.status, 200)
  t.is(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  t.is(answer.headers.get('content-disposition'), 'attachment; filename=transacoes-2026-11-24.csv')
  t.deepEqual(
    csvOf(answer.text).map((row) => [row.Tipo, row.Valor, row.Saldo, row.Descrição, row['Data e hora']]),
    [
      ['Pix In', '1000,00', '1000,00', "'=HYPERLINK(1)", '23/11/2026 10:05:10'],
      ['Tarifa Pix In', '-1,00', '999,00', "'=HYPERLINK(1)", '23/11/2026 10:05:10'],
      ['Pix In', '2000,00', '2999,00', "'=HYPERLINK(2)", '24/11/2026 10:00:00'],
      ['Tarifa Pix In', '-1,00', '2998,00', "'=HYPERLINK(2)", '24/11/2026 10:00:00'],
      ['Pix In', '3000,00', '5998,00', "'=HYPERLINK(3)", '24/11/2026 11:00:00'],
      ['Tarifa Pix In', '-1,00', '5997,00', "'=HYPERLINK(3)", '24/11/2026 11:00:00'],
    ],
  )
  t.deepEqual(await api.everything(), before)
})

/** Returns the bytes of an exported file. */
const fileOf = async (path: string, body: unknown): Promise<Uint8Array> => {
  const { id } = worked(await post(path, body))
  await api.drain()
  const file = await fetch(`${api.url}/consolidation/exports/download/${id}`)
  return new Uint8Array(await file.arrayBuffer())
}

test.serial('exports the same table as a workbook, without formulas', async (t) => {
  const { rows, xml } = readWorkbook(await fileOf(TRANSACTIONS, { format: 'xlsx' }))
  const [titles = [], ...lines] = rows
  const columns = ['Tipo', 'Valor', 'Saldo', 'Descrição'].map((each) => titles.indexOf(each))
  t.deepEqual(
    lines.map((row) => columns.map((at) => row[at])),
    [
      ['Pix In', '1000', '1000', '=HYPERLINK(1)'],
      ['Tarifa Pix In', '-1', '999', '=HYPERLINK(1)'],
      ['Pix In', '2000', '2999', '=HYPERLINK(2)'],
      ['Tarifa Pix In', '-1', '2998', '=HYPERLINK(2)'],
      ['Pix In', '3000', '5998', '=HYPERLINK(3)'],
      ['Tarifa Pix In', '-1', '5997', '=HYPERLINK(3)'],
    ],
  )
  t.notRegex(xml, /<f[ >]/, 'a text must be no formula')
})

test.serial('exports a statement as PDF with its account, lines and balances', async (t) => {
  const pdf = await fileOf(STATEMENT, { start_date: '2026-11-23', end_date: '2026-11-24' })
  t.is(pagesOf(pdf), 1)
  const text = textOf(pdf).replaceAll('\u00a0', ' ')
  const figures = ['1.000,00', '999,00', '2.000,00', '2.999,00', '2.998,00', '3.000,00', '5.998,00', '5.997,00']
  for (const shown of [
    '23/11/2026',
    '24/11/2026',
    '748 - BCO COOPERATIVO SICREDI S.A.',
    'Pix In',
    'Tarifa Pix In',
    '=HYPERLINK(3)',
    ...figures,
  ])
    t.true(text.includes(shown), `${shown}\n${text}`)
})

test('notifies the requesting user and sends an event once without `download`, and serves the file by its id', async (t) => {
  const own = await newMerchant()
  await api.ask('PUT', `/fake-bank/accounts/${own.id}`, { body: { taxes: {} } })
  await api.paid(own)
  await api.drain()
  const { body, status } = await post(TRANSACTIONS, { format: 'csv', created_at_start: '2026-11-01' }, own)
  t.is(status, 200)
  t.deepEqual(Object.keys(body), ['message', 'id'])
  t.deepEqual(failure(await download(body.id)), [404, 'export.pending'])
  await api.drain()
  await api.drain()
  const notified = (await notificationsOf(own)).filter(({ type }) => type === 'export.ready')
  t.deepEqual(pluck(notified, 'id'), [body.id])
  t.like(notified[0]?.data, {
    format: 'csv',
    kind: 'transactions',
    total_transactions: 1,
    url: `https://pay.example.com/consolidation/exports/download/${body.id}`,
  })
  const file = await download(body.id)
  t.is(file.headers.get('content-disposition'), 'attachment; filename=transacoes-2026-11-01.csv')
  t.is(csvOf(file.text).length, 1)
  const { every } = api
  t.is((await every(events)).filter(({ type, accountId }) => type === 'export.ready' && accountId === own.id).length, 1)
  t.is((await api.ask('PUT', `/access/auth/notifications/${body.id}/read`, { token: own.token })).status, 200)
  t.is((await download(body.id)).status, 200)
  t.is((await api.ask('DELETE', `/access/auth/notifications/${body.id}`, { token: own.token })).status, 200)
  t.is((await download(body.id)).status, 404)
})

const filters: readonly (readonly [body: Record<string, unknown>, count: number])[] = [
  [{ type: [1, 'pix-in-fee'], status: -1, search: null }, 6],
  [{ search: 'hyperlink(2', unknown: { $ne: 1 } }, 2],
  [{ created_at_start: '2026-11-24', created_at_end: '2026-11-24', type: 1 }, 2],
]

test('exports the entries of each filter', async (t) => {
  for (const [body, count] of filters) {
    const answer = await post(TRANSACTIONS, { format: 'csv', download: 1, ...body })
    t.is(csvOf(answer.text).length, count, JSON.stringify(body))
  }
})

type Refused = readonly [path: string, body: unknown, status: number, errors: Record<string, string[]> | string]
const refused: readonly Refused[] = [
  [
    TRANSACTIONS,
    { created_at_start: '2026-11-24', created_at_end: '2026-11-23' },
    422,
    { created_at_end: ['not-before'] },
  ],
  [TRANSACTIONS, { search: 'nada disso' }, 404, 'export.empty'],
  [TRANSACTIONS, { type: 'pix-out', download: true }, 404, 'export.empty'],
  [STATEMENT, { start_date: '2026-11-02', end_date: '2026-11-01' }, 422, { end_date: ['not-before'] }],
  [STATEMENT, { start_date: '2026-01-01', end_date: '2026-03-03' }, 422, { end_date: ['range.max'] }],
]
test('names a wrong range, and returns 404 without entries', async (t) => {
  for (const [path, body, status, errors] of refused) {
    const answer = await post(path, body)
    const found = typeof errors === 'string' ? answer.body.error_code : answer.body.error_codes
    t.deepEqual([answer.status, found], [status, errors], `${path} ${JSON.stringify(body)}`)
  }
})

test('exports a statement of 60 days, also of an empty period', async (t) => {
  const body = worked(await post(STATEMENT, { start_date: '2026-01-01', end_date: '2026-03-02' }))
  await api.drain()
  const file = await download(body.id)
  t.is(file.headers.get('content-type'), 'application/pdf')
  t.is(file.headers.get('content-disposition'), 'attachment; filename=extrato-2026-01-01_2026-03-02.pdf')
  t.true(file.text.startsWith('%PDF-'))
})

test('ignores the idempotency key of a direct download', async (t) => {
  const at = { 'idempotency-key': 'arquivo-1' }
  for (const _ of [1, 2]) {
    const file = await post(TRANSACTIONS, { format: 'csv', download: true }, merchant, at)
    t.deepEqual([file.status, csvOf(file.text).length], [200, 6])
  }
})

test('rejects an unknown id and the id of another notification', async (t) => {
  t.is((await download('9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10')).body.error_code, 'export.unknown')
  for (const id of ['1', 'x', '%00', '..%2F..%2Fetc']) t.is((await download(id)).status, 404, id)
  await api.drain()
  const paid = (await notificationsOf(merchant)).find(({ type }) => type === 'charge.paid')
  t.deepEqual(failure(await download(`${paid?.id}`)), [400, 'export.type'])
})

test('serves a file for seven days', async (t) => {
  const own = await openTestApi(t)
  const ana = await own.merchant()
  await own.paid(ana)
  const { id } = worked(await own.ask('POST', TRANSACTIONS, { token: ana.token, body: {} }))
  await own.drain()
  const open = () => own.ask('GET', `/consolidation/exports/download/${id}`)
  own.clock.advance(7 * 86_400 - 1)
  await own.drain()
  t.is((await open()).status, 200)
  own.clock.advance(1)
  t.is((await open()).status, 404)
  await own.drain()
  t.deepEqual(await own.every(exports), [])
  t.is(await own.host.files.open(id), null)
  t.is((await open()).status, 404)
})

test('returns 404 for files of a removed organization', async (t) => {
  const own = await openTestApi(t)
  const { id: organization, token } = await own.merchant()
  const { id } = worked(
    await own.ask('POST', STATEMENT, { token, body: { start_date: '2026-11-01', end_date: '2026-11-30' } }),
  )
  await own.drain()
  const open = () => own.ask('GET', `/consolidation/exports/download/${id}`)
  t.is((await open()).status, 200)
  t.true((await own.ask('DELETE', `/v1/organizations/${organization}`, { token })).status < 300)
  t.is((await open()).body.error_code, 'export.unknown')
})

test('exports in a suspended account', async (t) => {
  const other = await newMerchant()
  await api.setStatus(other, 'SUSPENDED')
  t.is((await post(TRANSACTIONS, {}, other)).status, 404)
  t.is((await post(STATEMENT, { start_date: '2026-11-01', end_date: '2026-11-30' }, other)).status, 200)
})

test('serves a receipt as attachment or inline', async (t) => {
  const { token } = merchant
  const [{ id }] = worked(await api.ask('GET', '/consolidation/transactions', { token })).data
  for (const [path, name] of [
    [`/consolidation/transaction/${id}/generate-pdf`, `transacao-${id}`],
    [`/consolidation/v2/transactions/${id}/download-pdf`, `transacao-v2-${id}`],
  ] as const) {
    const saved = await api.ask('GET', path, { token })
    t.is(saved.headers.get('content-type'), 'application/pdf')
    t.is(saved.headers.get('content-disposition'), `attachment; filename=${name}-1795528800.pdf`)
    t.true(saved.text.startsWith('%PDF-'))
    const shown = await api.ask('GET', `${path}?download=0`, { token })
    t.is(shown.headers.get('content-disposition'), `inline; filename=${name}-1795528800.pdf`)
  }
})

test('shows no payer on the receipt of a fee', async (t) => {
  const { token } = merchant
  const lines = worked(await api.ask('GET', '/consolidation/transactions', { token })).data
  for (const [slug, isNamed] of [
    ['pix-in', true],
    ['pix-in-fee', false],
  ] as const) {
    const { id } = lines.find(({ type }: { readonly type: { readonly slug: string } }) => type.slug === slug)
    const file = await fetch(`${api.url}/consolidation/transaction/${id}/generate-pdf`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = textOf(new Uint8Array(await file.arrayBuffer()))
    for (const side of ['Quem pagou', 'Quem recebeu']) t.is(text.includes(side), isNamed, `${slug}: ${side}`)
    t.true(text.includes('Identificação'), slug)
  }
})
