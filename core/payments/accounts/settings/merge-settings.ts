import { type Issue, issue } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { discountIssues } from '../../terms/charge-rules.ts'
import type { Account } from '../account.ts'
import { sealedSmtpPassword } from '../account-secrets.ts'
import { type Address, type BoletoConfigs, NO_RULES, type NotificationRules, type Smtp } from './account-settings.ts'

/** Fields of a setting: what is left out stays as it was. */
export type Given<A> = { readonly [K in keyof A]?: A[K] | undefined }

/** A mail server; without a password the one that is kept serves on, for the same server and user. */
export type SmtpChange = Given<Omit<Smtp, 'passwordSealed'> & { readonly password: string }>

/** What a setting becomes: undefined where nothing was given, null where it is cleared. */
type After<A> = A | null | undefined

const NO_ADDRESS: Address = { street: null, number: null, city: null, state: null, zipCode: null }
const NO_CONFIGS: BoletoConfigs = { rateHundredths: null, typeRate: null, discountHundredths: null, typeDiscount: null }

const over = <A extends object>(known: A, given: Given<A>): A => ({
  ...known,
  ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<A>),
})

export const addressAfter = (known: Address | null, given: Given<Address> | null | undefined): After<Address> =>
  given ? over(known ?? NO_ADDRESS, given) : given

/** A rule that is given takes the place of that one alone. Source: decisions.md §12, Account. */
export const rulesAfter = (
  known: NotificationRules | null,
  given: Given<NotificationRules> | null | undefined,
): After<NotificationRules> => (given ? over(known ?? NO_RULES, given) : given)

/** Fails: `charge.discount` (`boleto_configs.discount`): of a whole percentage nothing is left; of reais a charge can tell. */
export const boletoAfter = (
  known: BoletoConfigs | null,
  given: Given<BoletoConfigs> | null | undefined,
): Either<readonly Issue<'charge.discount'>[], After<BoletoConfigs>> => {
  if (!given) return right(given)
  const after = over(known ?? NO_CONFIGS, given)
  const issues = after.typeDiscount === 'ABSOLUTE' ? [] : discountIssues(0, after.discountHundredths, 'PERCENTAGE')
  return issues.length > 0
    ? left(issues.map((each) => ({ ...each, path: `boleto_configs.${each.path}` })))
    : right(after)
}

/** What a mail server must have, and how it is asked for. */
const ASKED = [
  ['host', 'host'],
  ['port', 'port'],
  ['user', 'user'],
  ['passwordSealed', 'password'],
  ['encryption', 'encryption'],
  ['fromAddress', 'from_address'],
] as const satisfies readonly (readonly [keyof Smtp, string])[]

const lacking = (server: Partial<Smtp>) =>
  ASKED.flatMap(([field, name]) => (server[field] === undefined ? [issue(`smtp.${name}`, 'required')] : []))

const isWhole = (server: Partial<Smtp>): server is Smtp => lacking(server).length === 0

/**
 * A server that is whole, in the account's name where nobody says otherwise. A kept password serves its own server and user
 * alone: whoever names another does not know it. Fails: `required`, on what of it nobody has said yet.
 */
export const smtpAfter = (
  cipher: PaymentsPorts['cipher'],
  { id, name, smtp: known }: Pick<Account, 'id' | 'name' | 'smtp'>,
  wanted: SmtpChange | null | undefined,
): Either<readonly Issue<'required'>[], After<Smtp>> => {
  if (!wanted) return right(wanted)
  const { password, ...given } = wanted
  const { passwordSealed: kept, ...server } = over<Partial<Smtp>>({ fromName: name, ...known }, given)
  const isSame = known?.host === server.host && known?.port === server.port && known?.user === server.user
  const passwordSealed = password === undefined ? (isSame ? kept : undefined) : sealedSmtpPassword(cipher, id, password)
  const after = { ...server, ...(passwordSealed === undefined ? {} : { passwordSealed }) }
  return isWhole(after) ? right(after) : left(lacking(after))
}
