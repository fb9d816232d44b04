import { nullable } from '../../../kernel/input/field.ts'
import { day, oneOf } from '../../../kernel/input/scalars.ts'
import { guid } from '../../../kernel/input/texts.ts'
import { output, view } from '../../../kernel/input/view.ts'
import type { ChargeDetail } from '../../charging/issue.ts'

/** What a payer is asked for a payment, and by what they pay it. Source: issue 15. */
export const paymentChargeView = view(
  'PaymentCharge',
  {
    id: guid({ about: 'Identificador da cobrança' }),
    paymentId: guid({ about: 'Identificador do pagamento' }),
    method: oneOf(['Pix', 'Boleto'], { about: 'Como o cliente paga' }),
    status: oneOf(['Open', 'Paid', 'Ended'], { about: 'Se ainda pode ser paga' }),
    value: output.money({ about: 'Quanto se cobra até o vencimento, sem o desconto' }),
    dueDate: day({ about: 'Vencimento' }),
    discount: output.money({ about: 'Desconto para quem paga até o vencimento' }),
    pixCode: nullable(output.text({ about: 'Pix copia e cola; nulo em um boleto' })),
    digitableLine: nullable(output.text({ about: 'Linha digitável, 47 dígitos; nula em um Pix' })),
    boletoUrl: nullable(output.text({ about: 'Endereço do boleto em PDF; nulo em um Pix' })),
    url: output.text({ about: 'Endereço em que o cliente vê e paga a cobrança' }),
  },
  ({ charge, order, issued }: ChargeDetail) => ({
    id: charge.id,
    paymentId: charge.paymentId,
    method: order.method,
    status: issued.status,
    value: issued.valueCents,
    dueDate: issued.dueDate,
    discount: order.discountCents ?? 0,
    pixCode: issued.pixText,
    digitableLine: issued.digitableLine,
    boletoUrl: issued.boletoUrl,
    url: issued.url,
  }),
)
