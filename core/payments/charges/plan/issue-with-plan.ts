import { isLeft, left, right } from '../../../fp.ts'
import { isIn } from '../../../kernel/records/where.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../../kernel/running/use-case.ts'
import { MAX_BANK_CALLS } from '../../../limits.ts'
import { listOf } from '../../../ports/store.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Charge, charges, makingOf } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { type Issuer, readChargeFacts } from '../issue/decide-charge.ts'
import { withClients } from '../list-charges.ts'
import { createTitle, sendTitle } from '../titles/create-title.ts'
import { toldOf } from '../titles/decide-title.ts'
import { type BegunPlan, decidePlan, idsIn } from './decide-plan.ts'
import { type NewPlanCharges, newPlanCharges } from './new-plan-charges.ts'

/**
 * Issues the charges of a plan in one commit, and registers their titles at the bank, eight at once; those of which the bank
 * says nothing are carried on by the worker.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.unsupported`, `bank.refused` and `bank.unavailable`
 * (only where it makes none of them: failed charges are kept).
 * Source: 02-billing.md, Charges; decisions.md §9.
 */
export const issueWithPlan = (ports: PaymentsPorts) => (actor: Issuer, given: NewPlanCharges) =>
  withValidInput(ports, newPlanCharges, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(store, actor, asked),
        (facts, fresh) => decidePlan(ports, facts, actor, asked, fresh),
      ),
      (begun) => askForTitles(ports, begun),
      resumePlan(ports),
    ),
  )

const askForTitles = (ports: PaymentsPorts, { intent, titles }: BegunPlan) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    await eightAtOnce(titles, (begun) => operations.first(begun, sendTitle(ports))())
    return outcomeOf(ports, idsIn(intent))(hooks)
  })

/**
 * Carries on the charges of a plan, by the ids that their begin gave as one text, of whose titles the bank has said nothing yet.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumePlan = (ports: PaymentsPorts) => (intent: string) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    const ids = idsIn(intent)
    const asking = (await inOrder(ports, ids)).flatMap((charge) => makingOf(charge) ?? [])
    await eightAtOnce(asking, (id) => operations.again(id)())
    return outcomeOf(ports, ids)(hooks)
  })

const eightAtOnce = async <A>(items: readonly A[], ask: (item: A) => Promise<unknown>): Promise<void> => {
  for (let first = 0; first < items.length; first += MAX_BANK_CALLS)
    await Promise.all(items.slice(first, first + MAX_BANK_CALLS).map(ask))
}

const inOrder = async ({ store }: Pick<PaymentsPorts, 'store'>, ids: readonly number[]): Promise<readonly Charge[]> => {
  const { records } = await store.list(listOf(charges, { where: isIn('id', ids), limit: ids.length }))
  const byId = new Map(records.map((charge) => [charge.id, charge]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What became of them all, each as it stands: what the bank refused is a failed charge among the others. */
const outcomeOf = (ports: PaymentsPorts, ids: readonly number[]) =>
  finishOperation(
    ports,
    async () => withClients(ports, await inOrder(ports, ids), ports.clock.steady()),
    (details) => (details.length === 0 ? left(NO_CHARGE) : accept(toldOfPlan(details))),
  )

const toldOfPlan = (details: readonly ChargeDetail[]) => {
  const refusals = details.map(toldOf).filter(isLeft)
  const [refusal] = refusals
  return refusal && refusals.length === details.length ? refusal : right(details)
}
