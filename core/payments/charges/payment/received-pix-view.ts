import { nullable } from '../../../kernel/input/field.ts'
import { shown, view } from '../../../kernel/input/view.ts'
import type { Party, ReceivedPix } from '../../../ports/bank.ts'

const payerView = view(
  'PixPayer',
  { name: shown.text({ about: 'Nome' }), document: shown.text({ about: 'Documento' }) },
  ({ name, document }: Party) => ({ name, document }),
)

/** Money without a charge, as webhooks tell of it. Source: decisions.md §9, Others. */
export const receivedPixView = view(
  'ReceivedPix',
  {
    endToEndId: shown.text({ about: 'endToEndId do pagamento' }),
    txid: nullable(shown.text({ about: 'Identificador do Pix, se tem' })),
    valueCents: shown.money({ wire: 'value', about: 'Valor' }),
    payer: nullable(shown.view(payerView, { about: 'Quem pagou' })),
  },
  (pix: Pick<ReceivedPix, 'endToEndId' | 'txid' | 'valueCents' | 'payer'>) => pix,
)
