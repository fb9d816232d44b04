import { instant } from '../../kernel/input/fields/days.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { guid } from '../../kernel/input/fields/texts.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { type Payment, payment, paymentFields } from '../records/payment.ts'

const named = view('PaymentClient', { name: shown.text({ about: 'Nome' }) }, (of: { readonly name: string }) => of)
const coded = view('PaymentProperty', { code: shown.text({ about: 'Código' }) }, (of: { readonly code: string }) => of)

const contractOfPayment = view(
  'PaymentContract',
  {
    id: guid({ about: 'Identificador' }),
    client: shown.view(named, { about: 'O cliente do contrato' }),
    property: shown.view(coded, { about: 'O imóvel do contrato' }),
  },
  ({ contractId: id, clientName: name, propertyCode: code }: Payment) => ({ id, client: { name }, property: { code } }),
)

const { contractId, notes, ...told } = paymentFields

/** A payment as the API shows it. Source: 03-real-estate.md, Payment. */
export const paymentView = view(
  'Payment',
  {
    id: guid({ about: 'Identificador' }),
    ...told,
    ...pick(payment.spec.kept, 'status', 'method', 'paidAt', 'paidValueCents', 'receiptUrl'),
    notes,
    ...pick(payment.spec.kept, 'boletoUrl'),
    contractId,
    contract: shown.view(contractOfPayment, { about: 'O contrato' }),
    createdAt: instant({ about: 'Criação' }),
  },
  (of: Payment) => ({ ...of, contract: of }),
)
