// Also runs on MongoDB, in test:long.
import test from 'ava'
import { indexTable } from '../../../adapters/indexes/index-table.ts'
import { CannotStart } from '../../../apps/host/environment.ts'
import { textOf } from '../../adapters/documents/printed-page.ts'
import { openAgency } from './given/basics.ts'
import { aContract, LEASE, someParties } from './given/given.ts'
import { openEstateApi, outcomeOf, worked, wrongIn } from './test-api.ts'

test('the termination quote is for today by default, and visible with the contract', async (t) => {
  const { api, admin, token } = await openAgency(t)
  const lease = { startDate: '2025-04-01', endDate: '2027-09-30', terminationFine: 6000 }
  const { id } = await aContract(api, admin, lease)
  const path = `/api/contracts/${id}/termination-quote`
  const ask = (target: string) => api.ask('GET', target, { token })
  const shown = worked(await ask(`${path}?on=2026-11-30`))
  t.like(shown, { ...lease, totalMonths: 30, remainingMonths: 10, fine: 2000, openPayments: 0, total: 2000 })
  t.like(worked(await ask(path)), { on: '2026-11-23', remainingMonths: 10.23, fine: 2046.67 })
  const plain = await aContract(api, admin)
  t.is(outcomeOf(await ask(`/api/contracts/${plain.id}/termination-quote`)), '422 contract.no-termination-fine')
})

const MONTHS = [
  '2025-11',
  '2025-12',
  ...Array.from({ length: 10 }, (_, index) => `2026-${`${index + 1}`.padStart(2, '0')}`),
]
const figureOf = (month: string) => ({ month, percent: 0.5, source: 'BCB SGS 189', date: '2026-11-01' })

const openIndexed = (t: Parameters<typeof openEstateApi>[0], months: readonly string[]) => {
  const rows = months.map((month) => ({ series: 'IGPM' as const, ...figureOf(month) }))
  return openAgency(t, { instead: () => ({ indexes: indexTable(rows) }) })
}

test('an adjustment preview returns the new value with its index figures and changes nothing', async (t) => {
  const { api, admin, ask } = await openIndexed(t, MONTHS)
  const { id } = await aContract(api, admin, { startDate: '2025-11-15', endDate: '2026-12-31' })
  const before = await api.everything()
  t.deepEqual(worked(await ask('GET', `/api/contracts/${id}/adjustment`)), {
    contractId: id,
    indexer: 'IGPM',
    since: '2025-11-15',
    dueOn: '2026-11-15',
    figures: MONTHS.map(figureOf),
    measuredPercentage: 6.1678,
    appliedPercentage: 6.1678,
    value: 2500,
    newValue: 2654.19,
  })
  t.deepEqual(await api.everything(), before)
  const early = await ask('GET', `/api/contracts/${id}/adjustment?on=2026-11-14`)
  t.is(outcomeOf(early), '422 adjustment.early')
  t.regex(early.body.detail, /15\/11\/2026/)
  const { id: other } = await aContract(api, admin, { startDate: '2025-11-15', endDate: '2026-12-31', indexer: 'IPCA' })
  const missing = await ask('GET', `/api/contracts/${other}/adjustment`)
  t.is(outcomeOf(missing), '422 adjustment.missing')
  t.regex(missing.body.detail, /IPCA 2025-11, .*, 2026-10\.$/)
})

test('a renewal can take the adjusted value, and stores its figures', async (t) => {
  const { api, admin, ask } = await openIndexed(t, MONTHS)
  const { id } = await aContract(api, admin, { startDate: '2025-11-15', endDate: '2026-11-14' })
  const path = `/api/contracts/${id}/renew`
  const body = { newEndDate: '2027-11-14', indexer: 'IPCA' }
  t.deepEqual(wrongIn(await ask('POST', path, body)), { newValue: ['required'] })
  t.deepEqual(wrongIn(await ask('POST', path, { ...body, newValue: 1, applyAdjustment: true })), {
    newValue: ['only-one'],
  })
  const renewed = worked(await ask('POST', path, { ...body, applyAdjustment: true }))
  t.like(renewed, { value: 2654.19, indexer: 'IPCA', startDate: '2026-11-15', endDate: '2027-11-14' })
  const days = { dueOn: '2026-11-15', adjustedFrom: '2026-11-15' }
  t.like(renewed.adjustments[0], { indexer: 'IGPM', value: 2500, newValue: 2654.19, ...days })
  t.deepEqual(renewed.adjustments[0].figures, MONTHS.map(figureOf))
  t.deepEqual(worked(await ask('GET', `/api/contracts/${id}`)), renewed)
  const before = await api.everything()
  // The figures of the next one are not published yet.
  const again = { newEndDate: '2028-11-14', indexer: 'IPCA', applyAdjustment: true }
  t.is(outcomeOf(await ask('POST', path, again)), '422 adjustment.missing')
  t.deepEqual(await api.everything(), before)
})

test('a new rent after a billed one is an adjustment, which restarts the twelve months', async (t) => {
  const { api, admin, ask } = await openIndexed(t, MONTHS)
  const { body } = await someParties(api, admin)
  const lease = { ...LEASE, ...body, value: 1500, startDate: '2025-01-01', dueDay: 1 }
  const { id } = worked(await ask('POST', '/api/contracts', { ...lease, value: 150, adjustedFrom: 'x' }))
  const path = `/api/contracts/${id}`
  t.deepEqual(worked(await ask('PUT', path, lease)).adjustments, [], 'before the first rent it is a correction')
  const rentOf = async (period: string) => {
    const { created } = worked(await ask('POST', '/api/contracts/run-rent', { period }))
    return created[0].value
  }
  t.is(await rentOf('2026-10'), 1500)
  t.deepEqual(worked(await ask('PUT', path, { ...lease, adjustedFrom: '2026-11-01' })).adjustments, [])
  const adjusted = worked(await ask('PUT', path, { ...lease, value: 1557.66 }))
  const entry = { indexer: 'IGPM', figures: [], measuredPercentage: 3.844, appliedPercentage: 3.844 }
  const from = (day: string) => ({ dueOn: day, adjustedFrom: day })
  const values = { value: 1500, newValue: 1557.66 }
  t.deepEqual(adjusted.adjustments, [{ since: '2025-01-01', ...from('2026-12-01'), ...entry, ...values }])
  const early = await ask('GET', `${path}/adjustment?on=2026-11-27`)
  t.is(outcomeOf(early), '422 adjustment.early')
  t.regex(early.body.detail, /01\/12\/2027/)
  t.deepEqual([await rentOf('2026-11'), await rentOf('2026-12')], [1500, 1557.66])
  // A day of the same term from which nothing was billed.
  const other = { ...lease, value: 1600, adjustedFrom: '2027-01-16T00:00:00Z' }
  const [, second] = worked(await ask('PUT', path, other)).adjustments
  t.like(second, { since: '2026-12-01', ...from('2027-01-16'), value: 1557.66, newValue: 1600 })
  t.is(await rentOf('2027-01'), 1579.51)
  t.deepEqual(wrongIn(await ask('PUT', path, { ...other, adjustedFrom: '2024-12-31' })), {
    adjustedFrom: ['not-before'],
  })
  t.deepEqual(wrongIn(await ask('PUT', path, { ...other, adjustedFrom: '2029-06-01' })), {
    adjustedFrom: ['not-after'],
  })
})

test('days of former periods cannot change', async (t) => {
  const { api, admin, ask } = await openIndexed(t, [])
  const { body } = await someParties(api, admin)
  const lease = {
    ...LEASE,
    ...body,
    indexer: 'Fixed',
    indexerPercentage: 5,
    startDate: '2025-01-01',
    endDate: '2026-06-30',
  }
  const { id } = worked(await ask('POST', '/api/contracts', lease))
  const renewal = { newEndDate: '2027-12-31', newValue: 2600, indexer: 'Fixed' }
  worked(await ask('POST', `/api/contracts/${id}/renew`, renewal))
  const before = await api.everything()
  for (const startDate of ['2026-01-01', '2026-06-30']) {
    const refused = await ask('PUT', `/api/contracts/${id}`, { ...lease, startDate, endDate: '2027-12-31' })
    t.is(refused.status, 422)
    t.deepEqual(wrongIn(refused), { startDate: ['contract.period-closed'] })
  }
  t.deepEqual(await api.everything(), before)
  worked(await ask('PUT', `/api/contracts/${id}`, { ...lease, startDate: '2026-07-01', endDate: '2027-12-31' }))
})

test('the app does not start with a malformed table of indexes', async (t) => {
  await t.throwsAsync(openEstateApi(t, { env: { INDEX_TABLE: '/nowhere/indexes.json' } }), {
    instanceOf: CannotStart,
    message: /^INDEX_TABLE: got "\/nowhere\/indexes.json", accepts a JSON file of indexes: ENOENT/,
  })
})

test('the PDF of a contract names parties, property and terms, and is always the same bytes', async (t) => {
  const { api, admin, ask, clientOf, propertyOf } = await openAgency(t)
  const owner = await clientOf({ name: 'José Antônio Prado', taxId: '11144477735' })
  const house = await propertyOf({ ownerId: owner.id, code: 'AP-101' })
  const agreed = { propertyId: house.id, indexer: 'Fixed', indexerPercentage: 4.5, terminationFine: 7500 }
  const { id } = await aContract(api, admin, agreed)
  const printed = async (token = admin.token) => {
    const reply = await fetch(`${api.url}/api/contracts/${id}/pdf`, { headers: { authorization: `Bearer ${token}` } })
    return { reply, pdf: new Uint8Array(await reply.arrayBuffer()) }
  }
  const { reply, pdf } = await printed()
  t.is(reply.status, 200)
  t.is(reply.headers.get('content-type'), 'application/pdf')
  t.regex(reply.headers.get('content-disposition') ?? '', new RegExp(`contrato-${id}\\.pdf`))
  const text = textOf(pdf)
  for (const expected of [
    ...['Contrato de locação', 'José Antônio Prado', '111.444.777-35', 'Maria da Silva', 'Bruno Lima'],
    ...['AP-101', 'Rua das Flores, 100, Centro, São Paulo/SP, CEP 01310-100', '01/12/2026 a 31/05/2029'],
    ...['R$ 2.500,00', 'Percentual fixo de 4,5%, a cada doze meses'],
    ...['R$ 7.500,00, proporcional ao tempo que falta'],
  ])
    t.true(text.includes(expected), expected)
  t.deepEqual((await printed()).pdf, pdf)
  const renewal = { newEndDate: '2031-12-01', newValue: 2700, indexer: 'IPCA' }
  worked(await ask('POST', `/api/contracts/${id}/renew`, renewal))
  const renewed = textOf((await printed()).pdf)
  for (const expected of ['Períodos anteriores', '01/06/2029 a 01/12/2031', 'R$ 2.700,00'])
    t.true(renewed.includes(expected))
  t.is((await printed((await api.colleague(admin, 'Tenant')).token)).reply.status, 404)
})
