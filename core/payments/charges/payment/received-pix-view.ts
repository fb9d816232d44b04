import { nullable } from '../../../kernel/input/field.ts'
import { output, view } from '../../../kernel/input/view.ts'
import type { Party, ReceivedPix } from '../../../ports/bank.ts'

const payerView = view(
  'PixPayer',
  { name: output.text({ about: 'Nome' }), document: output.text({ about: 'Documento' }) },
  ({ name, document }: Party) => ({ name, document }),
)

/** Money without a charge, as webhooks tell of it. Source: decisions.md §9, Others. */
export const receivedPixView = view(
  'ReceivedPix',
  {
    endToEndId: output.text({ about: 'endToEndId do pagamento' }),
    txid: nullable(output.text({ about: 'Identificador do Pix, se tem' })),
    valueCents: output.money({ wire: 'value', about: 'Valor' }),
    payer: nullable(output.view(payerView, { about: 'Quem pagou' })),
  },
  (pix: Pick<ReceivedPix, 'endToEndId' | 'txid' | 'valueCents' | 'payer'>) => pix,
)
