import test, { type ExecutionContext } from 'ava'
import type { Either } from '../../../../core/failure.ts'
import type { Change } from '../../../../core/kernel/records/record.ts'
import type { PageOf, Store } from '../../../../core/ports/store.ts'
import { realEstateCollections } from '../../../../core/real-estate/real-estate.ts'
import type { Actor, Role } from '../../../../core/real-estate/real-estate-ports.ts'
import { writeMany } from '../../../bench/kept-store.ts'
import { FULL } from '../../../size.ts'
import { openSqlite } from '../../observed-store.ts'
import { right } from '../../payments/world.ts'
import { storedIn } from '../records.ts'
import { openAgency } from '../world.ts'

const companyId = '00000000-0000-4000-8000-000000000001'
const EMAIL = 'dona@example.com'
const PER_PAGE = 100
/** More values than one query accepts: by one, and more than twice as many. */
const SIZES = FULL ? [501, 1_200] : [501]

/** An agency on a file. Its records are a second apart and are stored by `written`. */
const openOnFile = async (t: ExecutionContext) => {
  const store = await openSqlite(t, realEstateCollections)
  const { agency: estate, clock, fresh } = openAgency({ store })
  const made: Change[] = []
  const collecting: Pick<Store, 'commit'> = {
    async commit(changes) {
      made.push(...changes)
      return { ok: true, taken: () => null }
    },
  }
  const host = { store: collecting, clock }
  const later = async <R>(making: Promise<R>): Promise<R> => {
    const one = await making
    clock.advance(1)
    return one
  }
  const written = () => writeMany(store, made.length, (number) => made.slice(number - 1, number))
  const stored = storedIn({ host, fresh }, { companyId })
  return { ...stored, later, written, estate }
}

const actorOf = (role: Role): Actor => ({
  ...{ userId: '00000000-0000-4000-8000-000000000002', companyId },
  ...{ role, verifiedEmail: EMAIL },
})

/** A different address for each number. */
const scattered = (index: number, count: number): number => (index * 7) % count

type Paged = (page: { readonly page: number; readonly perPage: number }) => Promise<Either<unknown, unknown>>

/** Reads all pages of a list and checks each total. */
const readAll = async (ask: Paged, count: number): Promise<readonly unknown[]> => {
  const found: unknown[] = []
  for (let page = 1; (page - 1) * PER_PAGE < count; page += 1) {
    const { records, total } = right(await ask({ page, perPage: PER_PAGE })) as PageOf<unknown>
    if (total !== count) throw new Error(`page ${page}: ${total} in all, and not ${count}`)
    found.push(...records)
  }
  return found
}

const idsOf = (found: readonly unknown[]): readonly unknown[] =>
  found.map((each) => Object(each).id ?? Object(each).contract?.id)

for (const count of SIZES)
  for (const role of ['Owner', 'Tenant'] as const)
    test(`an ${role} who is ${count} clients sees all contracts and payments, and an owner all properties, newest first`, async (t) => {
      const { clientOf, propertyOf, contractOf, paymentOf, later, written, estate } = await openOnFile(t)
      const actor = actorOf(role)
      const sides: string[] = []
      for (let index = 0; index < count; index += 1) {
        const client = async () => (await later(clientOf({ email: EMAIL }))).id
        // Some properties belong to the user.
        const house = async () => later(propertyOf({ ownerId: index % 10 === 0 ? actor.userId : await client() }))
        sides.push(role === 'Owner' ? (await house()).id : await client())
      }
      const [leases, active, rents]: [string[], string[], string[]] = [[], [], []]
      for (let index = 0; index < count; index += 1) {
        const side = sides[scattered(index, count)] ?? ''
        const status = index % 3 === 0 ? 'Terminated' : 'Active'
        const own = role === 'Owner' ? { propertyId: side, clientId: 'a' } : { clientId: side, propertyId: 'a' }
        const lease = await later(contractOf({ ...own, status }))
        leases.unshift(lease.id)
        if (status === 'Active') active.unshift(lease.id)
        rents.unshift((await later(paymentOf(lease))).id)
        // Records of another party lie in between.
        if (index % 50 === 0) await later(paymentOf(await contractOf()))
      }
      await written()
      const { properties, contracts, payments } = estate
      if (role === 'Owner')
        t.deepEqual(idsOf(await readAll((page) => properties.list(actor, page)(), count)), sides.reverse())
      t.deepEqual(idsOf(await readAll((page) => contracts.list(actor, page)(), count)), leases)
      const onlyActive: Paged = (page) => contracts.list(actor, { ...page, status: 'Active' })()
      t.deepEqual(idsOf(await readAll(onlyActive, active.length)), active)
      t.deepEqual(idsOf(await readAll((page) => payments.list(actor, page)(), count)), rents)
    })

test('a broker sees all of more than a thousand commissions, newest first, and no other broker’s', async (t) => {
  const { brokerOf, contractOf, commissionOf, later, written, estate } = await openOnFile(t)
  const [own, other] = [await brokerOf({ email: EMAIL }), await brokerOf()]
  const lease = await contractOf()
  const earned: string[] = []
  for (let index = 0; index < 1_200; index += 1) {
    earned.unshift((await later(commissionOf(lease, own.id))).id)
    if (index % 50 === 0) await later(commissionOf(lease, other.id))
  }
  await written()
  const found = await readAll((page) => estate.commissions.list(actorOf('Broker'), page)(), 1_200)
  t.deepEqual(idsOf(found), earned)
})
