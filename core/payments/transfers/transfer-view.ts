import { oneOf } from '../../kernel/input/fields/choices.ts'
import { money } from '../../kernel/input/fields/numbers.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { view } from '../../kernel/input/view.ts'
import type { Transfer } from './transfer.ts'

const WORDS = { pending: 'PENDING', completed: 'REALIZED', failed: 'FAILED' } as const

/** A transfer as the API shows it. */
export const transferView = view(
  'Transfer',
  {
    txid: shown.text({ about: 'Identificador da transferência, igual nos extratos das duas contas' }),
    valueCents: money({ wire: 'amount', about: 'Valor' }),
    status: oneOf(Object.values(WORDS), { about: 'Situação' }),
  },
  ({ id: txid, valueCents, status }: Transfer) => ({ txid, valueCents, status: WORDS[status] }),
)
