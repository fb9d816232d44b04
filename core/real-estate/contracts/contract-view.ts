import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { address } from '../records/address.ts'
import type { Broker } from '../records/broker.ts'
import type { Client } from '../records/client.ts'
import { type Contract, contract, contractFields } from '../records/contract.ts'
import { type Payment, payment, paymentFields } from '../records/payment.ts'
import type { Property } from '../records/property.ts'

/** A contract with whom and what it is of. */
export interface ShownContract {
  readonly contract: Contract
  readonly property: Property | null
  readonly client: Client | null
  readonly broker: Broker | null
}

/** The same with what is owed under it, by due date. */
export interface ContractDetail extends ShownContract {
  readonly payments: readonly Payment[]
}

const id = guid({ about: 'Identificador' })
const named = (name: string) =>
  view(name, { id, name: output.text({ about: 'Nome' }) }, (of: Pick<Client, 'id' | 'name'>) => of)

const propertyOfContract = view(
  'ContractProperty',
  { id, code: output.text({ about: 'Código' }), address },
  (of: Property) => of,
)

const paymentOfContract = view(
  'ContractPayment',
  {
    id,
    ...pick(paymentFields, 'period', 'valueCents'),
    ...pick(payment.spec.internal, 'status'),
    dueDate: paymentFields.dueDate,
  },
  (of: Payment) => of,
)

const { propertyId: _property, clientId: _client, brokerId: _broker, proposalId, type, ...agreed } = contractFields

const table = {
  id,
  type,
  ...pick(contract.spec.internal, 'status', 'endedOn'),
  ...agreed,
  property: nullIfAbsent(output.view(propertyOfContract, { about: 'O imóvel' })),
  client: nullIfAbsent(output.view(named('ContractClient'), { about: 'O cliente' })),
  broker: nullIfAbsent(output.view(named('ContractBroker'), { about: 'O corretor' })),
  proposalId,
  ...pick(contract.spec.internal, 'periods'),
  createdAt: instant({ about: 'Criação' }),
  updatedAt: instant({ about: 'Última alteração' }),
}

const valuesOf = ({ contract: of, property, client, broker }: ShownContract) => ({ ...of, property, client, broker })

/** A contract as lists show it. Source: 03-real-estate.md, Contract. */
export const contractView = view('Contract', table, valuesOf)

/** The same with its payments. Source: 03-real-estate.md, GET /api/contracts/{id}. */
export const contractDetailView = view(
  'ContractDetail',
  {
    ...table,
    ...pick(contract.spec.internal, 'adjustments'),
    payments: output.views(paymentOfContract, { about: 'Os pagamentos, pela ordem do vencimento' }),
  },
  (of: ContractDetail) => ({ ...valuesOf(of), payments: of.payments }),
)
