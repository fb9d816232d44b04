import { money, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Transfer } from './transfer.ts'

const WORDS = { pending: 'PENDING', completed: 'REALIZED', failed: 'FAILED' } as const

/** A transfer as the API shows it. */
export const transferView = view(
  'Transfer',
  {
    txid: output.text({ about: 'Identificador da transferência, igual nos extratos das duas contas' }),
    valueCents: money({ wire: 'amount', about: 'Valor' }),
    status: oneOf(Object.values(WORDS), { about: 'Situação' }),
  },
  ({ id: txid, valueCents, status }: Transfer) => ({ txid, valueCents, status: WORDS[status] }),
)
