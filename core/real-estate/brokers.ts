import { isLeft } from '../failure.ts'
import { type InputOf, output, type Paging, view } from '../kernel/input/mod.ts'
import { all, always, eq, isIn, not, remove, type Where } from '../kernel/records/record.ts'
import type { GroupRow } from '../kernel/records/tally.ts'
import { listWithDetails, plainUseCases, type ResourceFilter, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import { accept, mapUseCase, readUseCase, useCase, withValidInput } from '../kernel/running/use-case.ts'
import { byId, byKey, groupOf, type Store } from '../ports/store.ts'
import { calendarLinks } from './calendar.ts'
import { renameEvents } from './office.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { CompanyActor, RealEstatePorts } from './real-estate-ports.ts'
import { contracts } from './records/contract.ts'
import { id, timestamps } from './records/fields.ts'
import { type Broker, broker, brokerFields, users } from './records/people.ts'
import { proposals } from './records/proposal.ts'

export type NewBroker = InputOf<typeof broker.createInput>

/** The brokers of a company, who show properties and close contracts. */
export const brokers = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(broker)(ports)
    const scope = scopeOf(broker)
    return {
      /**
       * Returns a broker of the company with figures.
       * Fails: `broker.unknown`.
       */
      read: ({ companyId }: CompanyActor, id: string) =>
        readUseCase('broker.unknown', async () => {
          const found = await scope.find(ports.store, { companyId }, id)
          const [detail = null] = await withFigures(ports.store, companyId, found ? [found] : [])
          return detail
        }),
      /**
       * Returns a page of the company's brokers with figures, newest first. The search covers name, e-mail, CRECI and
       * phone.
       * Fails: `fields`.
       */
      list: ({ companyId }: CompanyActor, page: Paging | null, filter: ResourceFilter = {}) =>
        listWithDetails(plain.list({ companyId }, page, filter), (found) => withFigures(ports.store, companyId, found)),
      /**
       * Creates a broker.
       * Fails: `fields`, `broker.creci.taken`, `broker.email.taken`.
       */
      create: ({ companyId }: CompanyActor, submitted: NewBroker) =>
        mapUseCase(
          plain.create({ companyId }, submitted),
          (decision): BrokerDetail => ({ ...decision, ...NO_FIGURES }),
        ),
      /**
       * Replaces the fields of a broker, the status included; missing fields take their defaults. A new e-mail ends the
       * link to the broker's calendar. Fails: `fields`, `broker.unknown`, `broker.creci.taken`, `broker.email.taken`.
       */
      replace: replaceBroker(ports),
      /**
       * Removes a broker and frees the CRECI and e-mail.
       * Fails: `broker.unknown`, `broker.in-use` (with active contracts or open proposals).
       */
      remove: ({ companyId }: CompanyActor, id: string) => plain.remove({ companyId }, id),
    }
  },
} satisfies RealEstateModule

/** A broker with figures. */
export type BrokerDetail = Broker & BrokerFigures

const NO_FIGURES: BrokerFigures = { totalSales: 0, totalLeases: 0, conversionRate: 0 }

/** Adds the figures to all these brokers at once. */
const withFigures = async (
  store: Store,
  companyId: string,
  found: readonly Broker[],
): Promise<readonly BrokerDetail[]> => {
  const ids = found.map(({ id }) => id)
  const figures = await readBrokerFigures(store, companyId, ids)
  return found.map((each) => ({ ...each, ...(figures.get(each.id) ?? NO_FIGURES) }))
}

export const brokerView = view('Broker', {
  id,
  ...brokerFields,
  totalSales: output.count({ about: 'Contratos de venda, menos os cancelados' }),
  totalLeases: output.count({ about: 'Contratos de locação, menos os cancelados' }),
  conversionRate: output.number({ about: 'Propostas que viraram contrato, do total delas; 4 casas decimais' }),
  ...timestamps,
})

/** The contracts and proposals of a broker in figures. */
export interface BrokerFigures {
  /** Contracts that are neither cancelled nor removed. */
  readonly totalSales: number
  readonly totalLeases: number
  /** The share of the broker's proposals that became contracts; 4 decimals, 0 without proposals. */
  readonly conversionRate: number
}

const DECIMALS = 10_000

/** Returns part / whole to 4 decimals, half up; 0 if the whole is 0. */
export const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * DECIMALS) / whole) / DECIMALS

/** Returns the counts of rows by broker and by the value of another field: `3f2b… Sale`. */
const countsBy = (rows: readonly GroupRow[], field: string): ReadonlyMap<string, number> =>
  new Map(rows.map(({ by, count }) => [`${by.brokerId} ${by[field]}`, count]))

/** Reads the figures of brokers from tallies, in two queries whatever the number of brokers and records. */
export const readBrokerFigures = async (
  store: Store,
  companyId: string,
  brokerIds: readonly string[],
): Promise<ReadonlyMap<string, BrokerFigures>> => {
  if (brokerIds.length === 0) return new Map()
  const own: Where<'companyId' | 'brokerId'> = all(eq('companyId', companyId), isIn('brokerId', brokerIds))
  const { closed, offered } = await store.read({
    closed: groupOf(contracts, {
      where: all(own, not(eq('status', 'Cancelled'))),
      when: 'live',
      by: ['brokerId', 'type'],
      sum: [],
    }),
    offered: groupOf(proposals, {
      where: own,
      when: 'live',
      by: ['brokerId', 'isConverted'],
      sum: [],
    }),
  })
  const [contractCounts, proposalCounts] = [countsBy(closed, 'type'), countsBy(offered, 'isConverted')]
  const figuresOf = (id: string): BrokerFigures => {
    const converted = proposalCounts.get(`${id} true`) ?? 0
    return {
      totalSales: contractCounts.get(`${id} Sale`) ?? 0,
      totalLeases: contractCounts.get(`${id} Lease`) ?? 0,
      conversionRate: shareOf(converted, converted + (proposalCounts.get(`${id} false`) ?? 0)),
    }
  }
  return new Map(brokerIds.map((id) => [id, figuresOf(id)]))
}

/**
 * Returns the user whom a broker record bars once it has a new e-mail: until then an inactive one bars by the e-mail.
 */
const findBarredUserId = async (
  store: Store,
  { companyId, email, status, barredUserId }: Broker,
  newEmail: string,
): Promise<string | null> => {
  if (barredUserId !== null || status !== 'Inactive' || newEmail === email) return barredUserId
  const user = await store.find(byKey(users, 'email', email))
  return user?.companyId === companyId && user.role === 'Broker' ? user.id : null
}

const replaceBroker =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: NewBroker) =>
    withValidInput(ports, broker.createInput, submitted, (fields) =>
      useCase(
        ports,
        async (store) => {
          const facts = await broker.readFacts(store, companyId, id, fields)
          const figures = await readBrokerFigures(store, companyId, [id])
          return {
            facts,
            figures,
            barredUserId: facts.record && (await findBarredUserId(store, facts.record, fields.email)),
            link: await store.find(byId(calendarLinks, id)),
          }
        },
        ({ facts, figures, barredUserId, link }, fresh) => {
          const decision = broker.update(facts, fields, fresh, { barredUserId })
          if (isLeft(decision)) return decision
          const { record, changes } = decision.right
          const renamed = renameEvents(fresh, 'broker.renamed', 'name', facts.record, record)
          // A new e-mail is another person's: the former one must not read on in the calendar.
          const ended = link && record.email !== facts.record?.email ? [remove(calendarLinks, id, always)] : []
          return accept<BrokerDetail>(
            { ...(figures.get(id) ?? NO_FIGURES), ...record },
            ...changes,
            ...renamed,
            ...ended,
          )
        },
      ),
    )
