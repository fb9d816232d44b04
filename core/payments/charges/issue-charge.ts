import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import { type Checked, either, type GivenFor, input } from '../../kernel/input/input.ts'
import { pick } from '../../kernel/input/table.ts'
import { insert } from '../../kernel/records/change.ts'
import { tenantKey } from '../../kernel/resources/collection.ts'
import { checked } from '../../kernel/running/checked.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { randomCode } from '../../kernel/running/fresh/random-code.ts'
import { decided, operationUseCase, startOperation } from '../../kernel/running/use-case.ts'
import { plusSeconds } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { fold } from '../../kernel/values/text.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, takesWrites } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { bankOperations, newOperation, subjectOf } from '../bank/operation.ts'
import { type Client, client as clientResource, clients, payerFields } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { chargeRules } from '../terms/charge-rules.ts'
import { type Charge, charges, pixLapsesAt } from './charge.ts'
import { chargeFields, SERVED_METHODS } from './charge-fields.ts'
import { chargeTerms } from './charge-terms.ts'
import { createTitle, resumeTitle, sendTitle } from './titles/create-title.ts'
import { CREATE_TITLE, TITLE_LEASE_SECONDS, titleOrder } from './titles/title-order.ts'

/** What a charge is asked for with; the payer is an existing client, or who is to become one. */
export const newChargeFields = {
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate'),
  payer: either(pick(chargeFields, 'clientId'), payerFields),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount', 'installments'),
}

/** Source: 02-billing.md, Charge creation body. */
export const newCharge = input('NewCharge', newChargeFields, ...chargeRules)

export type NewCharge = GivenFor<typeof newCharge>

type Asked = Checked<typeof newCharge>

/** Who issues it, and for which account. */
type Issuer = Pick<Actor, 'userId' | 'accountId'>

interface Facts {
  readonly account: Account | null
  readonly client: Client | null
}

const CODE_LENGTH = 22
const TXID_LENGTH = 25

/**
 * Issues a charge and registers its title at the bank.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.refused` and `bank.unavailable` (a failed charge is kept).
 * Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, given: NewCharge) =>
  checked(ports, newCharge, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readFacts(store, actor, asked),
        (facts, fresh) => decideCharge(ports, facts, actor, asked, fresh),
      ),
      (begun) => createTitle(ports).first(begun, sendTitle(ports)),
      resumeTitle(ports),
    ),
  )

const readFacts = (store: Store, { accountId }: Issuer, { payer }: Asked): Promise<Facts> =>
  store.read({
    account: byId(accounts, accountId),
    client:
      'clientId' in payer
        ? byId(clients, payer.clientId)
        : byKey(clients, 'document', tenantKey(accountId, payer.document)),
  })

/** A pending charge, and the operation by which the bank is asked for its title. */
export const decideCharge = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  facts: Facts,
  actor: Issuer,
  asked: Asked,
  fresh: Fresh,
) => {
  const { account } = facts
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  const payer = payerOf(facts, account, asked)
  const issues = [...issuesOf(account, asked), ...(payer ? [] : [issue('payer.clientId', 'unknown')])]
  if (!payer || issues.length > 0) return left(invalid(issues))
  const { record: client, changes } =
    'id' in payer
      ? { record: payer, changes: [] }
      : clientResource.make(account.id, { ...NOTHING_MORE, ...payer }, fresh)
  const charge = pendingCharge(account, client, actor, asked, fresh)
  const { txid: intent } = charge
  const order = titleOrder(charge, intent, account.name)
  const operation = newOperation(
    cipher,
    {
      id: intent,
      accountId: account.id,
      kind: CREATE_TITLE,
      subject: subjectOf(charges, charge.id),
      order,
      dueAt: plusSeconds(fresh.now, TITLE_LEASE_SECONDS),
    },
    fresh,
  )
  return decided({ intent, order, operation }, ...changes, insert(charges, charge), insert(bankOperations, operation))
}

/** What a payer says nothing of. */
const NOTHING_MORE = { type: null, gender: null, birthdate: null, metadata: null }

/** The client who pays, or who becomes one; null where the one that is named is not the account's. */
const payerOf = ({ client }: Facts, account: Account, { payer }: Asked) => {
  if (!('clientId' in payer)) return client ?? payer
  return client?.accountId === account.id && client.removedAt === null ? client : null
}

const issuesOf = ({ limits }: Account, { paymentMethod, valueCents }: Asked) => {
  const { chargeMinCents: min, chargeMaxCents: max } = limits
  const wrong = [
    [!SERVED_METHODS.includes(paymentMethod), issue('paymentMethod', 'charge.method')],
    [min !== null && valueCents < min, issue('valueCents', 'money.min', { min: reaisFromCents(min ?? 0) })],
    [max !== null && valueCents > max, issue('valueCents', 'money.max', { max: reaisFromCents(max ?? 0) })],
  ] satisfies readonly (readonly [boolean, Issue])[]
  return wrong.flatMap(([isWrong, found]) => (isWrong ? [found] : []))
}

const pendingCharge = (account: Account, client: Client, actor: Issuer, asked: Asked, fresh: Fresh) => {
  const { payer: _, ...plain } = asked
  const code = randomCode(fresh, CODE_LENGTH)
  const txid = randomCode(fresh, TXID_LENGTH)
  return {
    id: fresh.id(charges),
    accountId: account.id,
    code,
    status: 'pending',
    ...plain,
    ...chargeTerms(asked, account.boletoConfigs),
    amountPaidCents: null,
    paymentDate: null,
    clientId: client.id,
    txid,
    pixKey: account.pixKey,
    pix: null,
    operationId: txid,
    lapsesAt: pixLapsesAt(asked.dueDate),
    failure: null,
    createdBy: actor.userId,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    search: fold([code, txid, client.document, client.name].filter((text) => text !== null).join('\n')),
  } satisfies Charge
}
