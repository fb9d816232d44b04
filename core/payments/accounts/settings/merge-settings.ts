import { type Issue, issue } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { discountIssues } from '../../terms/charge-rules.ts'
import type { Account } from '../account.ts'
import { sealedSmtpPassword } from '../account-secrets.ts'
import {
  type Address,
  type BoletoConfigs,
  NO_RULES,
  type NotificationRule,
  type NotificationRules,
  type Smtp,
} from './account-settings.ts'
import type { CheckedChange } from './settings-change.ts'

/** What a setting becomes: undefined where nothing was given, null where it is cleared. */
type After<A> = A | null | undefined

const NO_ADDRESS: Address = { street: null, number: null, city: null, state: null, zipCode: null }
const NO_CONFIGS: BoletoConfigs = { rateHundredths: null, typeRate: null, discountHundredths: null, typeDiscount: null }
/** Where nobody says how. */
const USUAL_CHANNELS = ['email'] as const

export const addressAfter = (known: Address | null, given: CheckedChange['address']): After<Address> =>
  given && { ...(known ?? NO_ADDRESS), ...given }

type SentRule = Pick<NotificationRule, 'enabled' | 'message'> & {
  readonly channels: NotificationRule['channels'] | null
  readonly days?: number | null
}

const ruleOf = ({ enabled, message, channels, days = null }: SentRule): NotificationRule => ({
  enabled,
  message,
  channels: [...new Set(channels ?? USUAL_CHANNELS)],
  days,
})

/** A rule that is given takes the place of that one alone. Source: decisions.md §12, Account. */
export const rulesAfter = (
  known: NotificationRules | null,
  given: CheckedChange['notificationRules'],
): After<NotificationRules> => {
  if (!given) return given
  const sent: readonly (readonly [string, SentRule | null])[] = Object.entries(given)
  const rules: Partial<NotificationRules> = Object.fromEntries(sent.map(([name, each]) => [name, each && ruleOf(each)]))
  return { ...(known ?? NO_RULES), ...rules }
}

/** Fails: `charge.discount`: of a whole percentage nothing is left; of reais a charge can tell. */
export const boletoAfter = (
  known: BoletoConfigs | null,
  given: CheckedChange['boletoConfigs'],
): Either<readonly Issue<'charge.discount'>[], After<BoletoConfigs>> => {
  if (!given) return right(given)
  const after = { ...(known ?? NO_CONFIGS), ...given }
  const issues = after.typeDiscount === 'ABSOLUTE' ? [] : discountIssues(0, after.discountHundredths, 'PERCENTAGE')
  return issues.length > 0
    ? left(issues.map((each) => ({ ...each, path: 'boletoConfigs.discountHundredths' })))
    : right(after)
}

/** What a mail server must have, and how it is asked for. */
const ASKED = [
  ['host', 'host'],
  ['port', 'port'],
  ['user', 'user'],
  ['passwordSealed', 'password'],
  ['encryption', 'encryption'],
  ['fromAddress', 'fromAddress'],
] as const satisfies readonly (readonly [keyof Smtp, keyof NonNullable<CheckedChange['smtp']>])[]

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
  wanted: CheckedChange['smtp'],
): Either<readonly Issue<'required'>[], After<Smtp>> => {
  if (!wanted) return right(wanted)
  const { password, ...given } = wanted
  const { passwordSealed: kept, ...server }: Partial<Smtp> = { fromName: name, ...known, ...given }
  const isSame = known?.host === server.host && known?.port === server.port && known?.user === server.user
  const passwordSealed = password === undefined ? (isSame ? kept : undefined) : sealedSmtpPassword(cipher, id, password)
  const after = { ...server, ...(passwordSealed === undefined ? {} : { passwordSealed }) }
  return isWhole(after) ? right(after) : left(lacking(after))
}
