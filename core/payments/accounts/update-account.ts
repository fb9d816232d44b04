import { type Either, type Issue, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { IMAGE_TYPES, image } from '../../kernel/input/image.ts'
import {
  allOptional,
  clearable,
  type DecodedOf,
  email,
  type InputOf,
  input,
  line,
  nullIfAbsent,
  object,
  optional,
  pick,
  rule,
  secret,
} from '../../kernel/input/mod.ts'
import { withNulls } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { WHOLE_PERCENT } from '../../kernel/values/money.ts'
import { hashingUseCaseOf } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { claimId, claims } from '../claim.ts'
import { type AuditActor, attachImage, detachImage, saveImage } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { discountIssues, fineIssues, isConsumerOf } from '../terms.ts'
import {
  type Account,
  accountFields,
  accounts,
  address,
  addressFields,
  type BoletoConfigs,
  boletoConfigs,
  boletoFields,
  consumerFields,
  isExisting,
  NO_RULES,
  type NotificationRule,
  type NotificationRules,
  partialFields,
  pinFields,
  ruleFields,
  type Smtp,
  sealedSmtpPassword,
  smtpFields,
  UNKNOWN_ACCOUNT,
} from './account.ts'
import { changeAccount, serialByAccount } from './change-account.ts'
import { isWeakPin, WRONG_PIN } from './pin.ts'
import { reminders, startReminders } from './reminders.ts'
import { type AccountDetail, accountDetail, RULE_DESCRIPTIONS } from './views.ts'

/** A change of the mail server; without a password the stored one stays, if server and user are the same. */
const smtpChange = input(
  null,
  allOptional({
    ...pick(smtpFields, 'host', 'port', 'user'),
    password: secret({ max: 255, about: 'Senha; nunca é mostrada' }),
    ...pick(smtpFields, 'encryption', 'fromName', 'fromAddress'),
  }),
)

const eventRuleFields = {
  ...pick(ruleFields, 'enabled', 'message'),
  /** By e-mail if omitted. */
  channels: nullIfAbsent(ruleFields.channels),
}

const requiresChannel = rule(
  ['enabled', 'channels'],
  (sent: { enabled: boolean; channels: readonly unknown[] | null }) =>
    sent.enabled && sent.channels?.length === 0 ? [issue('channels', 'required')] : [],
)

const eventRule = input(null, eventRuleFields, requiresChannel)
const dueRule = input(null, { ...eventRuleFields, ...pick(ruleFields, 'days') }, requiresChannel)

const rulesChange = input(null, {
  on_creation: clearable(object(eventRule, { about: RULE_DESCRIPTIONS.on_creation })),
  on_payment: clearable(object(eventRule, { about: RULE_DESCRIPTIONS.on_payment })),
  before_due: clearable(object(dueRule, { about: RULE_DESCRIPTIONS.before_due })),
  after_due: clearable(object(dueRule, { about: RULE_DESCRIPTIONS.after_due })),
  on_due: clearable(object(dueRule, { about: RULE_DESCRIPTIONS.on_due })),
  on_update: clearable(object(eventRule, { about: RULE_DESCRIPTIONS.on_update })),
  on_delete: clearable(object(eventRule, { about: RULE_DESCRIPTIONS.on_delete })),
})

export const logo = image({ types: IMAGE_TYPES, about: 'Logotipo' })

/** The change of an account: an omitted field stays, null clears. */
export const accountChangeFields = {
  newPin: optional(pinFields.newPin),
  name: optional(line({ max: 100, about: 'Nome' })),
  email: optional(email({ max: 100, about: 'E-mail' })),
  ...allOptional(pick(accountFields, 'document', 'webhookUrl')),
  address: clearable(object(input(null, allOptional(addressFields)), { about: 'Endereço' })),
  smtp: clearable(object(smtpChange, { about: 'Servidor de e-mail' })),
  /** Replaces the named rules only. */
  notificationRules: clearable(object(rulesChange, { about: 'Avisos ao pagador' })),
  boletoConfigs: clearable(
    object(input(null, allOptional(boletoFields)), { about: 'Juros, multa e desconto das cobranças' }),
  ),
  ...allOptional(consumerFields),
  ...allOptional(partialFields),
  logo: clearable(logo),
}

/** Fails: `pin.weak`. */
export const strongPin = rule(['newPin'], ({ newPin }: { readonly newPin?: string }) =>
  newPin !== undefined && isWeakPin(newPin) ? [issue('newPin', 'pin.weak')] : [],
)

const accountChange = input('AccountChange', accountChangeFields, strongPin)
export type AccountChange = InputOf<typeof accountChange>
type CheckedChange = DecodedOf<typeof accountChange>

export const updateAccount =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'permissions'> & AuditActor, submitted: AccountChange) =>
    withValidInput(ports, accountChange, submitted, (change) =>
      hashingUseCaseOf<AccountDetail>()(async (hooks) => {
        const proven = change.newPin === undefined ? right(null) : await readPinHash(ports, actor.accountId)
        if (isLeft(proven)) return proven
        const prepared = await prepare(ports, change, actor)
        if (isLeft(prepared)) return prepared
        const update = useCase(
          ports,
          (store) => readFacts(store, actor.accountId, change),
          (facts, fresh) =>
            decideAccount(ports, facts, actor, change, { ...prepared.right, provenHash: proven.right }, fresh),
        )
        return serialByAccount(ports.store, actor.accountId, update)(hooks)
      }),
    )

/** Reads the PIN that the caller has just proven: of several changes of it at once, one is made. */
const readPinHash = (ports: PaymentsPorts, accountId: number) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, accountId)),
    (account) => accept(account?.pinHash ?? null),
  )()

/** Does the slow parts of a change: stores the logo and hashes the PIN. */
const prepare = async (ports: PaymentsPorts, { logo, newPin }: CheckedChange, { origin }: AuditActor) => {
  const pinHash = newPin === undefined ? undefined : await ports.hasher.hash(newPin, origin)
  if (!logo) return right({ pinHash, logoFileId: logo })
  const saved = await saveImage(ports, 'logo', logo)
  return isLeft(saved) ? saved : right({ pinHash, logoFileId: saved.right })
}

const readFacts = async (store: Store, accountId: number, { document }: CheckedChange) => {
  const finds = { account: byId(accounts, accountId), reminded: byId(reminders, accountId) }
  if (document === undefined) return { ...(await store.read(finds)), claim: null }
  return store.read({ ...finds, claim: byId(claims, claimId('document', document)) })
}

/** The results of the slow parts. The logo and the PIN are undefined if they stay. */
interface Prepared {
  readonly logoFileId: string | null | undefined
  readonly pinHash: string | undefined
  /** The hash of the PIN that the caller has proven, before a new one. */
  readonly provenHash: string | null
}

const decideAccount = (
  ports: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>,
  { account, claim, reminded }: Awaited<ReturnType<typeof readFacts>>,
  actor: Pick<Actor, 'permissions'> & AuditActor,
  change: CheckedChange,
  { logoFileId, pinHash, provenHash }: Prepared,
  fresh: Fresh,
) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  if (pinHash !== undefined && account.pinHash !== provenHash) return left(WRONG_PIN)
  const smtp = smtpAfter(ports.cipher, account, change.smtp)
  const configs = boletoAfter(account, change)
  const { name, email, document, webhookUrl, hasNoConsumers, acceptPartial, partialToleranceCents } = change
  const wanted = {
    ...{ name, email, document, webhookUrl, hasNoConsumers, acceptPartial, partialToleranceCents, logoFileId, pinHash },
    address: change.address && { ...(account.address ?? NO_ADDRESS), ...change.address },
    notificationRules: rulesAfter(account.notificationRules, change.notificationRules),
    ...(isLeft(configs) ? {} : { boletoConfigs: configs.right }),
    ...(isLeft(smtp) || smtp.right === undefined ? {} : { smtp: smtp.right, smtpToldAt: null }),
  }
  const changed = changeAccount(account, wanted, { claim, by: actor, action: 'account.updated' }, fresh)
  const issues = [
    ...(isLeft(smtp) ? smtp.left : []),
    ...(isLeft(configs) ? configs.left : []),
    ...(isLeft(changed) && changed.left.tag === 'invalid' ? changed.left.issues : []),
  ]
  if (issues.length > 0) return left(invalid(issues))
  if (isLeft(changed)) return changed
  const { account: after, changes } = changed.right
  return accept(
    accountDetail(ports, after, actor),
    ...changes,
    ...(logoFileId === undefined ? [] : replaceLogo(account.logoFileId, logoFileId, fresh)),
    ...startReminders(ports.settings, fresh, after.id, after.notificationRules, reminded),
  )
}

const replaceLogo = (old: string | null, id: string | null, fresh: Fresh) => [
  ...(old === null ? [] : [detachImage(old, fresh)]),
  ...(id === null ? [] : [attachImage(id)]),
]

/** A setting after a change: undefined if unchanged, null if cleared. */
type Merged<A> = A | null | undefined

const NO_ADDRESS = withNulls(address, {})
const NO_CONFIGS = withNulls(boletoConfigs, {})

type SentRule = DecodedOf<typeof eventRule> & Partial<Pick<NotificationRule, 'days'>>

const ruleOf = ({ enabled, message, channels, days = null }: SentRule): NotificationRule => ({
  enabled,
  message,
  channels: [...new Set(channels ?? (['email'] as const))],
  days,
})

/** Replaces the named rules only. */
const rulesAfter = (
  known: NotificationRules | null,
  change: CheckedChange['notificationRules'],
): Merged<NotificationRules> => {
  if (!change) return change
  const sent: readonly (readonly [string, SentRule | null])[] = Object.entries(change)
  const rules: Partial<NotificationRules> = Object.fromEntries(sent.map(([name, each]) => [name, each && ruleOf(each)]))
  return { ...(known ?? NO_RULES), ...rules }
}

/**
 * Merges the default interest, fine and discount. Fails: `charge.discount` (a discount of 100 % or more),
 * `charge.consumer-fine` (over 2 %, also if the declaration that allowed it is withdrawn) and `charge.fine`; a discount
 * or fine in reais is checked with each charge.
 */
const boletoAfter = (
  { boletoConfigs: known, ...account }: Pick<Account, 'boletoConfigs' | 'hasNoConsumers'>,
  { boletoConfigs: change, hasNoConsumers = account.hasNoConsumers === true }: CheckedChange,
): Either<readonly Issue<'charge.discount' | 'charge.consumer-fine' | 'charge.fine'>[], Merged<BoletoConfigs>> => {
  const after = change === null ? NO_CONFIGS : { ...(known ?? NO_CONFIGS), ...change }
  const { fineHundredths, typeFine, discountHundredths, typeDiscount } = after
  const fine = { valueCents: WHOLE_PERCENT, fineHundredths, typeFine }
  const issues = [
    ...(typeFine === 'ABSOLUTE' ? [] : fineIssues(fine, isConsumerOf({ hasNoConsumers }, null))),
    ...(typeDiscount === 'ABSOLUTE' ? [] : discountIssues(0, discountHundredths, 'PERCENTAGE')),
  ]
  if (issues.length > 0) return left(issues.map((each) => ({ ...each, path: `boletoConfigs.${each.path}` })))
  return right(change && after)
}

/**
 * Merges the mail server; the sender's name defaults to the account's. The stored password is dropped if the server or
 * user changes: the caller may not know it. Fails: `required`, for each missing field.
 */
const smtpAfter = (
  cipher: PaymentsPorts['cipher'],
  { id, name, smtp: known }: Pick<Account, 'id' | 'name' | 'smtp'>,
  change: CheckedChange['smtp'],
): Either<readonly Issue<'required'>[], Merged<Smtp>> => {
  if (!change) return right(change)
  const { password, ...fields } = change
  const { passwordSealed: stored, ...server }: Partial<Smtp> = { fromName: name, ...known, ...fields }
  const isSame = known?.host === server.host && known?.port === server.port && known?.user === server.user
  const passwordSealed =
    password === undefined ? (isSame ? stored : undefined) : sealedSmtpPassword(cipher, id, password)
  const after = { ...server, ...(passwordSealed === undefined ? {} : { passwordSealed }) }
  return isComplete(after) ? right(after) : left(missingSmtpFields(after))
}

const SMTP_REQUIRED = ['host', 'port', 'user', 'passwordSealed', 'encryption', 'fromAddress'] as const

const missingSmtpFields = (server: Partial<Smtp>) =>
  SMTP_REQUIRED.filter((field) => server[field] === undefined).map((field) =>
    issue(`smtp.${field === 'passwordSealed' ? 'password' : field}`, 'required'),
  )

const isComplete = (server: Partial<Smtp>): server is Smtp => missingSmtpFields(server).length === 0
