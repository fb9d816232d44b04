import test from 'ava'
import fc from 'fast-check'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { addDays, type Day, lastOfMonth } from '../../../../core/kernel/values/day.ts'
import { halfUpRatio } from '../../../../core/kernel/values/money.ts'
import type { NewContract } from '../../../../core/real-estate/mod.ts'
import { realEstate } from '../../../../core/real-estate/real-estate.ts'
import { type Contract, contracts } from '../../../../core/real-estate/records/contract.ts'
import { type Payment, payments } from '../../../../core/real-estate/records/payment.ts'
import { companies } from '../../../../core/real-estate/records/people.ts'
import { rentJobs } from '../../../../core/real-estate/rents/run-rent.ts'
import { right } from '../../payments/world.ts'
import { ADMIN, openAgency } from '../world.ts'

const MONTHS = ['2026-10', '2026-11', '2026-12', '2027-01', '2027-02', '2027-03']
const VALUE = 310_000

const daysBetween = (from: Day, to: Day): readonly Day[] => {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** The days that a lease is let, by its periods and end. */
const daysLet = ({ periods, startDate, endDate, status, endedOn }: Contract): ReadonlySet<Day> => {
  const days = [...periods, { startDate, endDate }].flatMap((of) => daysBetween(of.startDate, of.endDate))
  return new Set(status === 'Active' ? days : days.filter((day) => day <= (endedOn ?? '')))
}

const daysBilled = (rents: readonly Payment[]): readonly Day[] =>
  rents.flatMap(({ billedDays }) => billedDays?.flatMap((of) => daysBetween(of.firstDay, of.lastDay)) ?? [])

const open = async (over: Partial<NewContract>) => {
  const world = openAgency()
  const { agency } = world
  const { id, propertyId, clientId } = await world.leaseOf({ valueCents: VALUE, ...over })
  // Two processes on one store.
  const processes = [agency, realEstate(agency.ports)] as const
  const run = async (period: string, at: 0 | 1 = 0) => right(await processes[at].payments.runRent(ADMIN, { period })())
  const leaseNow = async () => {
    const found = (await world.every(contracts)).find((each) => each.id === id)
    if (!found) throw new Error('no lease')
    return found
  }
  const liveRents = async () =>
    (await world.every(payments)).filter(({ removedAt, status }) => removedAt === null && status !== 'Cancelled')
  const renew = (newEndDate: Day, newValueCents = VALUE) =>
    agency.contracts.renew(ADMIN, id, { newEndDate, newValueCents, indexer: 'IGPM' })()
  const replace = (startDate: Day, endDate: Day) => {
    const terms = { type: 'Lease', valueCents: VALUE, startDate, endDate, dueDay: 10, indexer: 'IGPM' } as const
    return agency.contracts.replace(ADMIN, id, { ...terms, propertyId, clientId })()
  }
  const moveEnd = async (endDate: Day) => replace((await leaseNow()).startDate, endDate)
  return { ...world, id, run, leaseNow, liveRents, renew, replace, moveEnd }
}

const shown = (rents: readonly Payment[]) =>
  rents.map(({ valueCents, dueDate, notes }) => [valueCents, dueDate, notes] as const)

const ONE_TERM = { startDate: '2025-12-11', endDate: '2026-12-10' }
const REST = [210_000, '2026-12-11', 'Dias que faltavam no mês: 11/12/2026 a 31/12/2026.'] as const

test('a lease that is renewed or prolonged after the run of its last month is billed for the rest of that month', async (t) => {
  for (const change of ['renew', 'moveEnd'] as const) {
    const world = await open(ONE_TERM)
    t.deepEqual(shown((await world.run('2026-12')).created), [[100_000, '2026-12-10', null]])
    right(await world[change]('2027-12-10'))
    t.deepEqual(shown((await world.run('2026-12')).created), [REST], change)
    t.like(await world.run('2026-12'), { created: [], skipped: [{ code: 'rent.billed' }] })
    t.deepEqual(shown((await world.run('2027-01')).created), [[310_000, '2027-01-10', null]])
  }
})

test('the rest of a month is billed at the value of the new period', async (t) => {
  const { run, renew } = await open(ONE_TERM)
  await run('2026-12')
  right(await renew('2027-12-10', 620_000))
  t.deepEqual(shown((await run('2026-12')).created), [[420_000, REST[1], REST[2]]])
})

test('a lease that is shortened after the run keeps its rent, and the run names the difference', async (t) => {
  const { run, moveEnd, liveRents } = await open({ startDate: '2026-01-01', endDate: '2027-06-30' })
  await run('2026-12')
  right(await moveEnd('2026-12-10'))
  t.like(await run('2026-12'), { created: [], skipped: [{ code: 'rent.overbilled' }] })
  right(await moveEnd('2026-12-31'))
  t.like(await run('2026-12'), { created: [], skipped: [{ code: 'rent.billed' }] })
  t.deepEqual(shown(await liveRents()), [[310_000, '2026-12-10', null]])
})

test('a lease that is moved after the run is billed no further until its rent is settled', async (t) => {
  const { agency, run, replace, liveRents } = await open({ startDate: '2026-12-01', endDate: '2026-12-15' })
  await run('2026-12')
  right(await replace('2026-12-16', '2027-12-15'))
  t.like(await run('2026-12'), { created: [], skipped: [{ code: 'rent.overbilled' }] })
  const [rent] = await liveRents()
  right(await agency.payments.remove(ADMIN, rent?.id ?? '')())
  t.deepEqual(shown((await run('2026-12')).created), [[160_000, '2026-12-16', null]])
})

test('a lease that is renewed by a contract from the next day on is billed beside it, each day once', async (t) => {
  const { agency, id, leaseNow, tryLease, run } = await open(ONE_TERM)
  await run('2026-12')
  right(await agency.contracts.move(ADMIN, id, { status: 'Renewed' })())
  const { propertyId, clientId } = await leaseNow()
  const term = { startDate: '2026-12-11', endDate: '2027-12-10', valueCents: VALUE }
  const next = right(await tryLease({ propertyId, clientId }, term)).contract
  const { created, skipped } = await run('2026-12')
  t.deepEqual(shown(created), [[210_000, '2026-12-11', null]])
  t.deepEqual([created[0]?.contractId, skipped.map(({ code }) => code)], [next.id, ['rent.billed']])
})

test('a renewed lease is billed to the day before the next lease of its property', async (t) => {
  const { agency, id, leaseNow, tryLease, run } = await open({ startDate: '2025-12-11', endDate: '2027-12-10' })
  right(await agency.contracts.move(ADMIN, id, { status: 'Renewed' })())
  const { propertyId, clientId } = await leaseNow()
  right(await tryLease({ propertyId, clientId }, { startDate: '2026-12-11', valueCents: VALUE }))
  const { created } = await run('2026-12')
  t.deepEqual(created.map(({ valueCents }) => valueCents).sort(), [100_000, 210_000])
  t.like(await run('2027-01'), { created: [{ valueCents: VALUE }], skipped: [{ code: 'lease.ended' }] })
})

test('a renewed lease is billed until the lease that was created after it begins, also if that begins earlier', async (t) => {
  type Row = readonly [own: Day, other: Day, otherEnd: Day, status: 'Renewed' | 'Terminated', cents: readonly number[]]
  const rows: readonly Row[] = [
    ['2026-12-11', '2026-12-22', '2027-12-21', 'Renewed', [110_000, 100_000]],
    ['2026-12-22', '2026-12-11', '2027-12-10', 'Renewed', [0, 210_000]],
    ['2026-12-22', '2025-12-11', '2026-12-10', 'Renewed', [100_000, 100_000]],
    // It ends before it begins.
    ['2026-01-01', '2026-12-22', '2027-12-21', 'Terminated', [310_000, 0]],
  ]
  for (const [startDate, other, endDate, status, cents] of rows) {
    const { agency, clock, id, leaseNow, leaseOf, tryLease, run } = await open({ startDate, endDate: '2027-12-31' })
    const move = async (lease: string, to: Contract['status']) =>
      right(await agency.contracts.move(ADMIN, lease, { status: to })())
    await move(id, 'Renewed')
    // Of two leases of one instant, the one that begins later is the newer one.
    clock.advance(other > startDate ? 0 : 1)
    const { propertyId, clientId } = await leaseNow()
    const terms = { startDate: other, endDate, valueCents: VALUE }
    const { id: otherId } = right(await tryLease({ propertyId, clientId }, terms)).contract
    await move(otherId, status)
    await move((await leaseOf({ startDate: '2026-12-24' })).id, 'Renewed')
    const { created } = await run('2026-12')
    const billedBy = (lease: string) => created.find(({ contractId }) => contractId === lease)?.valueCents ?? 0
    t.deepEqual([id, otherId].map(billedBy), cents, `${startDate}, ${other}`)
  }
})

test('a lease that has ended is billed to the day of its end, also if the end has cancelled its whole rent', async (t) => {
  for (const status of ['Terminated', 'Cancelled'] as const) {
    const { agency, id, run, clock } = await open({ startDate: '2026-01-01' })
    t.deepEqual(shown((await run('2026-12')).created), [[310_000, '2026-12-10', null]])
    clock.set('2026-12-09T12:00:00.000Z')
    right(await agency.contracts.move(ADMIN, id, { status })())
    t.deepEqual(shown((await run('2026-12')).created), [[90_000, '2026-12-10', null]], status)
    t.like(await run('2026-12'), { created: [], skipped: [{ code: 'rent.billed' }] })
    t.like(await run('2027-01'), { created: [], skipped: [{ code: 'lease.ended' }] })
  }
})

test('a rent that is moved or raised by hand counts for its whole month, a lowered one for its days', async (t) => {
  const afterwards = async (over: { readonly valueCents?: number; readonly period?: string }) => {
    const { agency, id, run, renew, liveRents } = await open(ONE_TERM)
    await run('2026-12')
    const [rent] = await liveRents()
    const own = { type: 'Rent', period: '2026-12', valueCents: 100_000, dueDate: '2026-12-10' } as const
    right(await agency.payments.replace(ADMIN, rent?.id ?? '', { ...own, contractId: id, ...over })())
    right(await renew('2027-12-10'))
    const made = [...(await run('2026-12')).created, ...(await run('2027-01')).created]
    return made.map(({ valueCents }) => valueCents)
  }
  t.deepEqual(await afterwards({ valueCents: 310_000 }), [310_000])
  t.deepEqual(await afterwards({ valueCents: 90_000 }), [210_000, 310_000])
  t.deepEqual(await afterwards({ period: '2027-01' }), [310_000])
})

test('the automatic run bills the first month of a lease that was made after its run, once', async (t) => {
  const settings = { alertsAt: '07:00', openRegistration: true, rentRunDay: 2, publicUrl: 'http://localhost' }
  const { agency, clock, leaseOf, rentOf, every, host } = openAgency({ settings })
  const company = { id: ADMIN.companyId, legalName: null, taxId: null, createdAt: clock.now() }
  await host.store.commit([insert(companies, company)])
  const [job] = rentJobs(agency.ports)
  const begun = { startDate: '2026-11-21', endDate: '2027-11-20', valueCents: VALUE }
  const [missed, longBegun] = [await leaseOf(begun), await leaseOf({ ...begun, startDate: '2026-10-21' })]
  const [older, removed, byHand] = [await leaseOf(begun), await leaseOf(begun), await leaseOf(begun)]
  // A release that did not bill it stored no month.
  await host.store.commit([patch(contracts, older.id, { set: { automaticFrom: null }, when: always })])
  const first = { period: '2026-11', dueDate: '2026-11-28' }
  right(await agency.payments.remove(ADMIN, (await rentOf(removed.id, first)).id)())
  await rentOf(byHand.id, first)
  const ahead = await leaseOf(begun)
  await rentOf(ahead.id, { period: '2026-12', dueDate: '2026-12-28' })
  clock.set('2026-12-01T15:00:00.000Z')
  const late = await leaseOf({ ...begun, startDate: '2026-11-30' })
  const undone = await leaseOf({ ...begun, startDate: '2026-12-01' })
  for (const now of ['2026-12-02T15:00:00.000Z', '2026-12-03T15:00:00.000Z', '2027-01-02T15:00:00.000Z']) {
    clock.set(now)
    await job?.run({ steady: now, cursor: null, report: (error) => t.fail(String(error)) })
    const made = (await every(payments)).find(
      ({ contractId, period }) => contractId === undone.id && period === '2026-12',
    )
    await agency.payments.remove(ADMIN, made?.id ?? '')()
  }
  const monthsOf = async ({ id }: Pick<Contract, 'id'>) =>
    (await every(payments))
      .filter((each) => each.contractId === id && each.removedAt === null)
      .map(({ period, valueCents }) => [period, valueCents])
      .sort()
  const whole = [
    ['2026-12', VALUE],
    ['2027-01', VALUE],
  ]
  t.deepEqual(await monthsOf(missed), [['2026-11', 103_333], ...whole])
  t.deepEqual(await monthsOf(late), [['2026-11', 10_333], ...whole])
  t.deepEqual(await monthsOf(byHand), [['2026-11', 250_000], ...whole])
  t.deepEqual(await monthsOf(ahead), [
    ['2026-11', 103_333],
    ['2026-12', 250_000],
    ['2027-01', VALUE],
  ])
  t.deepEqual(await monthsOf(undone), [['2027-01', VALUE]])
  for (const lease of [longBegun, older, removed]) t.deepEqual(await monthsOf(lease), whole)
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('run' as const), month: fc.nat({ max: MONTHS.length - 1 }) }),
  fc.record({ kind: fc.constant('renew' as const), by: fc.integer({ min: 1, max: 75 }) }),
  fc.record({
    kind: fc.constant('move' as const),
    start: fc.integer({ min: -45, max: 45 }),
    end: fc.integer({ min: -60, max: 60 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat({ max: 5 }) }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

type World = Awaited<ReturnType<typeof open>>

/** Runs a month, which bills nothing if a day was billed that is let no more. */
const runUnlessOver = async ({ run, leaseNow, liveRents }: World, month: string) => {
  const owed = daysLet(await leaseNow())
  const isOver = daysBilled(await liveRents()).some((day) => day.startsWith(month) && !owed.has(day))
  if ((await run(month)).created.length > 0 && isOver) throw new Error(`${month} is billed though too much is`)
}

/** Takes a step, which the agency may refuse. */
const take = async (world: World, each: Step) => {
  const { agency, clock, id, renew, replace, leaseNow, liveRents } = world
  const { startDate, endDate } = await leaseNow()
  if (each.kind === 'run') await runUnlessOver(world, MONTHS[each.month] ?? '')
  else if (each.kind === 'renew') await renew(addDays(endDate, each.by))
  else if (each.kind === 'move') await replace(addDays(startDate, each.start), addDays(endDate, each.end))
  else if (each.kind === 'wait') clock.advance(each.days * 86_400)
  else await agency.payments.remove(ADMIN, (await liveRents())[each.at]?.id ?? id)()
}

const sumOf = (rents: readonly Payment[]) => rents.reduce((sum, { valueCents }) => sum + valueCents, 0)

test('after any runs, renewals, moves and removals, each day let is billed once, and no other, unless too many are', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.boolean(), async (steps, isEnded) => {
    const world = await open({ startDate: '2026-11-11', endDate: '2027-01-10' })
    const { agency, id, run, leaseNow, liveRents } = world
    const everLet = new Set<Day>(daysLet(await leaseNow()))
    const check = async () => {
      const billed = daysBilled(await liveRents())
      if (new Set(billed).size !== billed.length) throw new Error('a day is billed twice')
      if (!billed.every((day) => everLet.has(day))) throw new Error('a day is billed that was not let')
    }
    for (const each of steps) {
      await take(world, each)
      for (const day of daysLet(await leaseNow())) everLet.add(day)
      await check()
    }
    if (isEnded) right(await agency.contracts.move(ADMIN, id, { status: 'Terminated' })())
    for (const month of MONTHS) await Promise.all([run(month, 0), run(month, 1)])
    await check()
    const rents = await liveRents()
    const billed = new Set(daysBilled(rents))
    for (const month of MONTHS) {
      const inMonth = (days: ReadonlySet<Day>) => [...days].filter((day) => day.startsWith(month))
      const owed = inMonth(daysLet(await leaseNow()))
      const isOver = inMonth(billed).some((day) => !owed.includes(day))
      if (!isOver && !owed.every((day) => billed.has(day))) throw new Error(`a day of ${month} is lost`)
      const whole = halfUpRatio(VALUE * inMonth(billed).length, Number(lastOfMonth(`${month}-01`).slice(8)))
      const sum = sumOf(rents.filter(({ period }) => period === month))
      if (inMonth(billed).length === owed.length && sum !== whole) throw new Error(`${month}: ${sum} for ${whole}`)
    }
  })
  await fc.assert(property, { numRuns: 60 })
  t.pass()
})
