import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { brokerFields } from '../records/broker.ts'
import { commission, commissionFields } from '../records/commission.ts'
import { contractFields } from '../records/contract.ts'
import type { CommissionDetail } from './commission-detail.ts'

const id = guid({ about: 'Identificador' })

const brokerOfCommission = view(
  'CommissionBroker',
  { id, ...pick(brokerFields, 'name', 'creci') },
  (of: NonNullable<CommissionDetail['broker']>) => of,
)

type ContractOf = NonNullable<CommissionDetail['contract']>

const client = view(
  'CommissionClient',
  { id, name: output.text({ about: 'Nome' }) },
  (of: NonNullable<ContractOf['client']>) => of,
)
const property = view(
  'CommissionProperty',
  { id, code: output.text({ about: 'Código' }) },
  (of: NonNullable<ContractOf['property']>) => of,
)

const contractOfCommission = view(
  'CommissionContract',
  {
    id,
    ...pick(contractFields, 'type', 'valueCents'),
    client: nullIfAbsent(output.view(client, { about: 'O cliente do contrato' })),
    property: nullIfAbsent(output.view(property, { about: 'O imóvel do contrato' })),
  },
  (of: ContractOf) => of,
)

/** A commission as the API shows it. Source: 03-real-estate.md, Commission. */
export const commissionView = view(
  'Commission',
  {
    id,
    ...pick(commissionFields, 'valueCents', 'percentage'),
    ...pick(commission.spec.internal, 'status'),
    ...pick(commissionFields, 'notes', 'brokerId', 'contractId'),
    broker: nullIfAbsent(output.view(brokerOfCommission, { about: 'O corretor' })),
    contract: nullIfAbsent(output.view(contractOfCommission, { about: 'O contrato' })),
    ...pick(commission.spec.internal, 'approvedAt', 'paidAt'),
    createdAt: instant({ about: 'Criação' }),
  },
  (of: CommissionDetail) => of,
)
