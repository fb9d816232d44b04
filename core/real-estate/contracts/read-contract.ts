import { right } from '../../failure.ts'
import { type InputOf, input, inQuery, nullIfAbsent, output, pick, view } from '../../kernel/input/mod.ts'
import { all, eq, gte, lte, type Where } from '../../kernel/records/record.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, dayOf } from '../../kernel/values/day.ts'
import type { PageOf, Store } from '../../ports/store.ts'
import { ifWithin, listOfCompany, type Parties, readContractLimit, readPage, readParties } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { CONTRACT_STATUSES, type Contract, contract, contractFields, contracts } from '../records/contract.ts'
import { address, id, namedView, pageFields, timestamps } from '../records/fields.ts'
import { type Payment, payment, paymentFields, payments } from '../records/payment.ts'

/** A contract with its property, client and broker. */
export interface ShownContract extends Parties {
  readonly contract: Contract
}

/** A contract with its payments, by due date. */
export interface ContractDetail extends ShownContract {
  readonly payments: readonly Payment[]
}

const propertyOfContract = view('ContractProperty', { id, code: output.text({ about: 'Código' }), address })

const paymentOfContract = view('ContractPayment', {
  id,
  ...pick(paymentFields, 'period', 'valueCents'),
  ...pick(payment.spec.internal, 'status'),
  dueDate: paymentFields.dueDate,
})

const { propertyId: _property, clientId: _client, brokerId: _broker, proposalId, type, ...agreed } = contractFields

const table = {
  id,
  type,
  ...pick(contract.spec.internal, 'status', 'endedOn'),
  ...agreed,
  property: nullIfAbsent(output.view(propertyOfContract, { about: 'O imóvel' })),
  client: nullIfAbsent(output.view(namedView('ContractClient'), { about: 'O cliente' })),
  broker: nullIfAbsent(output.view(namedView('ContractBroker'), { about: 'O corretor' })),
  proposalId,
  ...pick(contract.spec.internal, 'periods'),
  ...timestamps,
}

const valuesOf = ({ contract: of, property, client, broker }: ShownContract) => ({ ...of, property, client, broker })

export const contractView = view('Contract', table, valuesOf)

export const contractDetailView = view(
  'ContractDetail',
  {
    ...table,
    ...pick(contract.spec.internal, 'adjustments'),
    payments: output.views(paymentOfContract, { about: 'Os pagamentos, pela ordem do vencimento' }),
  },
  (of: ContractDetail) => ({ ...valuesOf(of), payments: of.payments }),
)

const MOST_DAYS = 36_500

export const contractFilter = input('ContractFilter', {
  ...pageFields,
  search: inQuery.text({ about: 'Imóvel ou cliente' }),
  status: inQuery.oneOf(CONTRACT_STATUSES, { about: 'Situação' }),
  type: inQuery.of(contractFields.type),
  expiringDays: inQuery.integer({ min: 0, max: MOST_DAYS, about: 'Ativos que terminam em até tantos dias' }),
  brokerId: inQuery.guid({ about: 'Identificador do corretor' }),
  propertyId: inQuery.guid({ about: 'Identificador do imóvel' }),
  clientId: inQuery.guid({ about: 'Identificador do cliente' }),
})

export type ContractFilter = InputOf<typeof contractFilter>

type ContractField = keyof Contract & string

const scope = scopeOf(contract)

/** Matches active contracts that end within so many days from today. */
const expiring = (days: number, steady: string): readonly Where<ContractField>[] => {
  const today = dayOf(steady)
  return [eq('status', 'Active'), gte('endDate', today), lte('endDate', addDays(today, days))]
}

export const listContracts =
  (ports: RealEstatePorts) =>
  (actor: Actor, submitted: ContractFilter = {}) =>
    withValidInput(ports, contractFilter, submitted, ({ page, perPage, search, expiringDays, ...fields }) =>
      useCaseOf<PageOf<ShownContract>>()(async () => {
        const { store, clock } = ports
        const { companyId } = actor
        const filter: ResourceFilter = { where: fields, ...(search !== undefined && { search }) }
        const where = all(
          scope.where({ companyId }, filter),
          ...(expiringDays === undefined ? [] : expiring(expiringDays, clock.steady())),
        ) as Where<ContractField>
        const query = { from: contracts, where, when: expiringDays === undefined ? 'live' : 'active' }
        const listed = await readPage(store, query, { page, perPage }, await readContractLimit(store, actor))
        const partiesOf = await readParties(store, companyId, listed.records)
        return right({ ...listed, records: listed.records.map((each) => ({ contract: each, ...partiesOf(each) })) })
      }),
    )

const readPayments = async (store: Store, { companyId, id }: Contract): Promise<readonly Payment[]> => {
  const found = await listOfCompany(store, payments, companyId, { where: eq('contractId', id), when: 'live' })
  return found.toSorted((a, b) => (`${a.dueDate} ${a.id}` < `${b.dueDate} ${b.id}` ? -1 : 1))
}

/** Reads the parties and payments of a contract. */
export const readDetail = async (store: Store, record: Contract): Promise<ContractDetail> => {
  const partiesOf = await readParties(store, record.companyId, [record])
  return { contract: record, ...partiesOf(record), payments: await readPayments(store, record) }
}

export const readContract =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('contract.unknown', async () => {
      const found = await scope.find(store, { companyId: actor.companyId }, id)
      const visible = found && ifWithin(found, await readContractLimit(store, actor))
      return visible && readDetail(store, visible)
    })
