import { type Failure, failure } from '../../failure.ts'
import { type Either, isLeft, left } from '../../fp.ts'
import type { InputOf } from '../../kernel/input/input.ts'
import { scopeOf } from '../../kernel/resources/scope.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, readUseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Visit, visit } from '../records/visit.ts'
import { referredBy, type VisitDetail } from './visit-detail.ts'
import { type VisitChange, type VisitMove, visitChange, visitMove } from './visit-inputs.ts'
import { moved, rescheduled, type VisitMade, visitWritten } from './visit-rules.ts'

type In = Pick<Actor, 'companyId'>
export type NewVisit = InputOf<typeof visit.createInput>

const scope = scopeOf(visit)
const UNKNOWN = failure('not-found', 'visit.unknown')

const detailAt = async (store: Store, { companyId }: In, id: string): Promise<VisitDetail | null> => {
  const found = await scope.find(store, { companyId }, id)
  return found && { visit: found, ...(await referredBy(store, companyId, [found]))(found) }
}

/** One of the company's visits. Fails: `visit.unknown`. */
export const readVisit =
  ({ store }: RealEstatePorts) =>
  (actor: In, id: string) =>
    readUseCase('visit.unknown', () => detailAt(store, actor, id))

/** Makes a visit. Fails: `fields` (`unknown` for what points at nothing). */
export const createVisit =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: NewVisit) =>
    withValidInput(ports, visit.createInput, given, (sent) =>
      useCase(
        ports,
        async (store) => ({
          facts: await visit.readFacts(store, companyId, null, sent),
          referred: (await referredBy(store, companyId, [sent]))(sent),
        }),
        ({ facts, referred }, fresh) => {
          const { property, client } = referred
          const copies = { propertyCode: property?.code ?? '', clientName: client?.name ?? '' }
          const made = visit.create(facts, companyId, sent, fresh, copies)
          if (isLeft(made)) return made
          const { record, changes } = made.right
          return accept<VisitDetail>({ visit: record, ...referred }, ...changes, visitWritten(record.propertyId))
        },
      ),
    )

type Rule<C extends string> = (of: Visit, fresh: Fresh) => Either<Failure<C, never>, VisitMade>

/** Changes one of the company's visits by a rule. */
const changing = <C extends string>(ports: RealEstatePorts, actor: In, id: string, rule: Rule<C>) =>
  useCase<VisitDetail | null, VisitDetail, C | 'visit.unknown'>(
    ports,
    (store) => detailAt(store, actor, id),
    (found, fresh) => {
      if (!found) return left(UNKNOWN)
      const made = rule(found.visit, fresh)
      if (isLeft(made)) return made
      const { visit: changed, changes } = made.right
      return accept<VisitDetail>({ ...found, visit: changed }, ...changes)
    },
  )

/** Another time for a visit. Fails: `fields`, `visit.unknown`, `visit.closed`. */
export const rescheduleVisit = (ports: RealEstatePorts) => (actor: In, id: string, given: VisitChange) =>
  withValidInput(ports, visitChange, given, (sent) =>
    changing(ports, actor, id, (found, fresh) => rescheduled(found, sent, fresh)),
  )

/** What becomes of a visit. Fails: `fields`, `visit.unknown`, `visit.move`, `visit.checkin-missing`. */
export const moveVisit = (ports: RealEstatePorts) => (actor: In, id: string, given: VisitMove) =>
  withValidInput(ports, visitMove, given, (sent) =>
    changing(ports, actor, id, (found, fresh) => moved(found, sent, fresh)),
  )
