import test from 'ava'
import { ownerStatementOf, type StatementFacts } from '../../../core/real-estate/owners.ts'

const OWNER = { id: 'o', name: 'Dona' }

const paid = (
  over: Partial<StatementFacts['payments'][number]> & { readonly id: string },
): StatementFacts['payments'][number] => ({
  ...{ contractId: 'lease', type: 'Rent', period: '2026-11', propertyId: 'p', propertyCode: 'AP-1', notes: null },
  ...{ paidAt: '2026-11-10T12:00:00.000Z', paidValueCents: 250_000 },
  ...{ paidOwnerId: null, paidAdministrationPercentage: null },
  ...over,
})

const CONTRACTS: StatementFacts['contracts'] = new Map([
  ['lease', { id: 'lease', type: 'Lease', administrationPercentage: 8.5 }],
  ['plain', { id: 'plain', type: 'Lease', administrationPercentage: null }],
  ['managed', { id: 'managed', type: 'Management', administrationPercentage: 10 }],
  ['sale', { id: 'sale', type: 'Sale', administrationPercentage: 5 }],
])

const statement = (payments: StatementFacts['payments'], managements: StatementFacts['managements'] = []) =>
  ownerStatementOf(OWNER, '2026-11', { payments, contracts: CONTRACTS, managements })

test('rents and fines of leases are income; the administration of each rent is subtracted, half up', (t) => {
  const { entries, ...sums } = statement([
    paid({ id: '1', paidValueCents: 100_006 }),
    paid({ id: '2', paidValueCents: 100_006 }),
    paid({ id: '3', type: 'Fine', paidValueCents: 10_000 }),
  ])
  // 8.5% of 1,000.06 is 85.0051; of both together it would be a cent more or less by chance.
  t.is(entries.map(({ flow, administrationCents }) => `${flow} ${administrationCents}`).join(), 'In 8501,In 8501,In 0')
  t.like(sums, { incomeCents: 210_012, administrationCents: 17_002, expensesCents: 0, netCents: 193_010 })
})

test('condominium, IPTU and expenses are subtracted under a management contract, and only listed under a lease', (t) => {
  const types = ['Condo', 'IPTU', 'Expense'] as const
  const of = (contractId: string) =>
    types.map((type) => paid({ id: `${contractId}-${type}`, contractId, type, paidValueCents: 1_000 }))
  const { entries, ...sums } = statement([...of('managed'), ...of('lease'), paid({ id: 'x', contractId: 'sale' })])
  const flows = new Map(entries.map(({ paymentId, flow }) => [paymentId, flow]))
  for (const type of types) {
    t.is(flows.get(`managed-${type}`), 'Out', type)
    t.is(flows.get(`lease-${type}`), 'Listed', type)
  }
  t.is(flows.get('x'), 'Listed')
  t.like(sums, { incomeCents: 0, administrationCents: 0, expensesCents: 3_000, netCents: -3_000 })
})

test('a lease without an administration percentage uses the newest management contract in force', (t) => {
  const management = (over: Partial<StatementFacts['managements'][number]>) => ({
    ...{ propertyId: 'p', status: 'Active' as const, periods: [], administrationPercentage: 10 },
    ...{ startDate: '2026-01-01', endDate: '2026-12-31', endedOn: null, statusHistory: [] },
    updatedAt: '2026-01-01T12:00:00.000Z',
    ...over,
  })
  const rate = (contractId: string, ...managements: StatementFacts['managements']) =>
    statement([paid({ id: '1', contractId })], managements).entries[0]?.administrationPercentage
  t.is(rate('lease', management({})), 8.5)
  t.is(rate('plain'), null)
  t.is(rate('plain', management({}), management({ administrationPercentage: 7 })), 10)
  t.is(rate('plain', management({ propertyId: 'q' })), null)
  t.is(rate('plain', management({ status: 'Cancelled' })), null)
  t.is(rate('plain', management({ endDate: '2026-11-09' })), null)
  t.is(rate('plain', management({ status: 'Terminated', endedOn: '2026-11-09' })), null)
  t.is(rate('plain', management({ status: 'Terminated', endedOn: '2026-11-10' })), 10)
  t.is(rate('plain', management({ status: 'Terminated', endDate: '2026-11-09', endedOn: '2026-11-10' })), null)
  t.is(rate('plain', management({ startDate: '2026-11-11' })), null)
  t.is(rate('plain', management({ startDate: '2026-11-10', endDate: '2026-11-10' })), 10)
  // Renewed ahead: its former period is in force.
  const former = { startDate: '2026-01-01', endDate: '2026-12-31', valueCents: 1, indexer: 'IGPM' as const }
  const ahead = { startDate: '2027-01-01', endDate: '2027-12-31', periods: [{ ...former, indexerPercentage: null }] }
  t.is(rate('plain', management(ahead)), 10)
})

test('entries are in the order of payment', (t) => {
  const first = paid({ id: 'c', paidAt: '2026-11-01T00:00:00.000Z' })
  const { entries } = statement([paid({ id: 'b' }), first, paid({ id: 'a' })])
  t.is(entries.map(({ paymentId }) => paymentId).join(), 'c,a,b')
})
