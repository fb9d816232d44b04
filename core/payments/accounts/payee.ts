import { nullable } from '../../kernel/input/field.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { PaymentsSettings } from '../payments-ports.ts'
import type { Account } from './account.ts'
import { accountFields } from './account-fields.ts'
import { logoUrl } from './settings/logo-url.ts'

/** Whom a charge or a link pays. */
export type Payee = Pick<Account, 'name' | 'email' | 'document'>

/** The same, with where anybody finds their logo; null where they have none. */
export interface PayeeWithLogo {
  readonly account: Payee
  readonly logoUrl: string | null
}

/** An account as whoever is to pay it may see it. */
export const payeeOf = (settings: Pick<PaymentsSettings, 'publicUrl'>, account: Account): PayeeWithLogo => {
  const { name, email, document } = account
  return { account: { name, email, document }, logoUrl: logoUrl(settings, account) }
}

const pathLogo = nullable(output.text({ about: 'Endereço do logotipo' }))

const shownOf = ({ account, logoUrl: path }: PayeeWithLogo) => ({ ...account, pathLogo: path })

export const payeeView = view('Payee', pick(accountFields, 'name', 'email', 'document'), (payee: Payee) => payee)

export const payeeWithLogoView = view('PayeeWithLogo', { ...payeeView.table, pathLogo }, shownOf)

/** Without an e-mail: for whoever asks often what has become of a charge. */
export const payeeOfChargeView = view(
  'PayeeOfCharge',
  { ...pick(accountFields, 'name', 'document'), pathLogo },
  shownOf,
)

/** A name at the end of a sentence: one that ends in a full stop, as `Ltda.` does, brings its own. */
export const atEnd = (name: string): string => (name.endsWith('.') ? name : `${name}.`)
