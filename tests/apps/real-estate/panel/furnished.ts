import { addDays, addMonths } from '../../../../core/kernel/values/day.ts'
import type { Contract } from '../../../../core/real-estate/records/contract.ts'
import { post } from '../given/basics.ts'
import { storedIn } from '../stored.ts'
import { type EstateTestApi, type Person, TODAY, worked } from '../test-api.ts'

const TENANTS = [
  ...['Maria da Silva', 'João Pereira', 'Carla Nogueira', 'Pedro Henrique Alves', 'Luciana Prado', 'Rafael Teixeira'],
  ...['Beatriz Camargo', 'Condomínio Edifício Primavera dos Jardins', 'Marcos Antunes', 'Sofia Almeida Prado'],
]
/** Cents of a month's rent. */
const RENTS = [250_000, 318_000, 189_000, 421_550, 275_000, 360_000, 198_000, 1_245_000, 305_000, 284_790]
/** How many days from now their contracts end. */
const ENDS = [4, 11, 27, 200, 340, 95, 600, 410, 0, 720]

const UNLET = ['Available', 'Available', 'Available', 'Reserved', 'Sold', 'Sold'] as const

type Stored = ReturnType<typeof storedIn>

const lease = async ({ clientOf, propertyOf, contractOf }: Stored, index: number): Promise<Contract> => {
  const client = await clientOf({ name: TENANTS[index] ?? '', activeContracts: 1 })
  const code = `${index % 3 === 2 ? 'CS' : 'AP'}-${101 + index}`
  const property = await propertyOf({ code, status: 'Rented', activeContracts: 1, activeTenures: 1 })
  return contractOf({
    propertyId: property.id,
    propertyCode: code,
    clientId: client.id,
    clientName: client.name,
    valueCents: RENTS[index] ?? 0,
    endDate: addDays(TODAY, ENDS[index] ?? 0),
  })
}

/** What was paid in the months before and in this one, what is owed, and what is late. */
const pay = async ({ paymentOf }: Stored, leases: readonly Contract[]): Promise<void> => {
  for (let ago = 4; ago >= 0; ago -= 1) {
    const period = addMonths(TODAY, -ago).slice(0, 7)
    // Each month there are more of them; this one is not over.
    const paying = leases.slice(0, ago === 0 ? 5 : 9 - ago)
    for (const of of paying) {
      const paid = { status: 'Paid', method: 'Pix', paidMonth: period, paidAt: `${period}-10T15:00:00.000Z` } as const
      await paymentOf(of, { period, dueDate: `${period}-10`, paidValueCents: of.valueCents, ...paid })
    }
  }
  for (const [index, of] of leases.slice(5, 8).entries())
    await paymentOf(of, { status: 'Defaulted', dueDate: addDays(TODAY, -13 - 31 * index) })
  for (const of of leases.slice(8)) await paymentOf(of, { dueDate: addDays(TODAY, 4) })
}

const propose = async ({ proposalOf }: Stored, of: Contract, brokerId: string): Promise<void> => {
  const made = { UnderReview: 7, Negotiating: 4, Approved: 3, Rejected: 2 } as const
  for (const [status, count] of Object.entries(made))
    for (let n = 0; n < count; n += 1) await proposalOf(of, brokerId, { status: status as keyof typeof made })
}

const VISITS = [
  ['09:00', 'Confirmed'],
  ['11:30', 'Confirmed'],
  ['14:00', 'Scheduled'],
  ['16:30', 'Scheduled'],
  ['18:00', 'Cancelled'],
] as const

const visit = async (api: EstateTestApi, admin: Person, { clientOf, propertyOf }: Stored, brokerId: string) => {
  for (const [index, [time, status]] of VISITS.entries()) {
    const client = await clientOf({ name: TENANTS[9 - index] ?? '' })
    const property = await propertyOf({ code: `CS-${301 + index}`, status: UNLET[index] ?? 'Available' })
    const { id } = await post(api, admin, '/api/visits', {
      propertyId: property.id,
      clientId: client.id,
      brokerId,
      scheduledAt: `${TODAY}T${time}:00-03:00`,
    })
    if (status === 'Scheduled') continue
    const sent = { token: admin.token, body: { status } }
    worked(await api.ask('PATCH', `/api/visits/${id}/status`, sent))
  }
}

/** An agency of some years, as its panel would show it; its broker is told of visits that are confirmed. */
export const furnished = async (api: EstateTestApi, admin: Person, brokerEmail = admin.email) => {
  const stored = storedIn(api, admin)
  const broker = await stored.brokerOf({ email: brokerEmail })
  const leases: Contract[] = []
  for (const index of TENANTS.keys()) leases.push(await lease(stored, index))
  await pay(stored, leases)
  const [first] = leases
  if (first) await propose(stored, first, broker.id)
  await visit(api, admin, stored, broker.id)
  await api.drain()
  return { stored, leases, broker }
}
