import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Payment, payment, paymentFields } from '../records/payment.ts'

// Nullable only because what is kept is: every payment has had both from its first day.
const id = nullIfAbsent(guid({ about: 'Identificador' }))

const clientOfPayment = view(
  'PaymentClient',
  { id, name: output.text({ about: 'Nome' }) },
  ({ clientId, clientName: name }: Payment) => ({ id: clientId, name }),
)
const propertyOfPayment = view(
  'PaymentProperty',
  { id, code: output.text({ about: 'Código' }) },
  ({ propertyId, propertyCode: code }: Payment) => ({ id: propertyId, code }),
)

const contractOfPayment = view(
  'PaymentContract',
  {
    id: guid({ about: 'Identificador' }),
    client: output.view(clientOfPayment, { about: 'O cliente do contrato' }),
    property: output.view(propertyOfPayment, { about: 'O imóvel do contrato' }),
  },
  (of: Payment) => ({ id: of.contractId, client: of, property: of }),
)

const { contractId, notes, ...told } = paymentFields

/** A payment as the API shows it. Source: 03-real-estate.md, Payment; decisions.md §10, Notifications and files. */
export const paymentView = view(
  'Payment',
  {
    id: guid({ about: 'Identificador' }),
    ...told,
    ...pick(payment.spec.internal, 'status', 'method', 'paidAt', 'paidValueCents', 'receiptUrl'),
    notes,
    ...pick(payment.spec.internal, 'boletoUrl'),
    contractId,
    contract: output.view(contractOfPayment, { about: 'O contrato' }),
    createdAt: instant({ about: 'Criação' }),
  },
  (of: Payment) => ({ ...of, contract: of }),
)
