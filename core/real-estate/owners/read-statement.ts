import { failure } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { all, eq, isIn, type Where } from '../../kernel/records/where.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { OwnerStatementPaper } from '../../ports/documents.ts'
import { byId, listAll, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { companies } from '../records/company.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { PAYMENT_TYPE_TEXTS, type Payment, payments } from '../records/payment.ts'
import { type Property, properties } from '../records/property.ts'
import { readManagements } from '../terms/paid-terms.ts'
import { type OwnerStatement, ownerStatementOf, type StatementFacts } from './owner-statement.ts'
import { type StatementPeriod, statementPeriod } from './owner-statement-view.ts'
import { findOwner } from './read-owner.ts'

/** Properties of which is asked at once. */
const PROPERTIES_AT_ONCE = 100

/** The ids of an owner's properties, removed ones too: what was paid for one stays paid. */
const propertyIdsOf = async (store: Store, companyId: string, ownerId: string): Promise<readonly string[]> => {
  const where = all<keyof Property & string>(eq('companyId', companyId), eq('ownerId', ownerId))
  return (await listAll(store, listOf(properties, { where, limit: MAX_PAGE }))).map(({ id }) => id)
}

const slicesOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PROPERTIES_AT_ONCE) }, (_, index) =>
    ids.slice(index * PROPERTIES_AT_ONCE, (index + 1) * PROPERTIES_AT_ONCE),
  )

const readPaid = (
  store: Store,
  companyId: string,
  period: string,
  ...more: readonly Where<keyof Payment & string>[]
) => {
  const where = all<keyof Payment & string>(eq('companyId', companyId), eq('paidMonth', period), ...more)
  return listAll(
    store,
    listOf(payments, { where, when: 'paid', sort: { by: 'paidMonth', dir: 'desc' }, limit: MAX_PAGE }),
  )
}

/**
 * Reads the payments that were paid to an owner in a month. Payments that keep no owner, since release 0.10.0 marked them
 * paid, are those of the properties that are the owner's now.
 */
const readFacts = async (store: Store, companyId: string, ownerId: string, period: string): Promise<StatementFacts> => {
  const kept = await readPaid(store, companyId, period, eq('paidOwnerId', ownerId))
  const unkept: Payment[] = []
  for (const ids of slicesOf(await propertyIdsOf(store, companyId, ownerId)))
    unkept.push(...(await readPaid(store, companyId, period, eq('paidOwnerId', null), isIn('propertyId', ids))))
  const managed = [...new Set(unkept.flatMap(({ propertyId }) => (propertyId === null ? [] : [propertyId])))]
  const managements: Contract[] = []
  for (const ids of slicesOf(managed)) managements.push(...(await readManagements(store, companyId, ids)))
  const paid = [...kept, ...unkept]
  const ids = paid.map(({ contractId }) => contractId)
  return { payments: paid, managements, contracts: await recordsById(store, contracts, companyId, ids) }
}

/**
 * What came in and went out for an owner in a month, by the São Paulo month in which it was paid; to an owner their own.
 * Fails: `fields`, `owner.unknown`.
 * Source: decisions.md §6, Owner and Tenant.
 */
export const readStatement = (ports: RealEstatePorts) => (actor: Actor, id: string, given: StatementPeriod) =>
  withValidInput(ports, statementPeriod, given, ({ period }) =>
    useCaseOf<OwnerStatement>()(async () => {
      const { store } = ports
      const owner = await findOwner(store, actor, id)
      if (!owner) return left(failure('not-found', 'owner.unknown'))
      const facts = await readFacts(store, actor.companyId, owner.id, period)
      return right(ownerStatementOf({ id: owner.id, name: owner.name }, period, facts))
    }),
  )

/** A statement on paper. */
export interface OwnerStatementPdf {
  readonly ownerId: string
  readonly period: string
  readonly pdf: Uint8Array
}

const SIGNS = { In: 1, Out: -1, Listed: null } as const

/** No line has room for more of a note. */
const MAX_NOTES = 300

const monthText = (period: string): string => period.split('-').reverse().join('/')

const paperOf = (statement: OwnerStatement, agency: string | null, issuedAt: string): OwnerStatementPaper => ({
  ...statement,
  agency,
  owner: statement.owner.name,
  issuedAt,
  lines: statement.entries.flatMap((entry) => {
    const sign = SIGNS[entry.flow]
    const { propertyCode: property, valueCents, administrationCents, administrationPercentage } = entry
    const day = dayOf(entry.paidAt)
    const description = [
      `${PAYMENT_TYPE_TEXTS[entry.type]} ${monthText(entry.period)}`,
      entry.notes?.slice(0, MAX_NOTES),
    ]
      .filter(Boolean)
      .join(' · ')
    const line = { day, property, description, valueCents, effectCents: sign === null ? null : sign * valueCents }
    if (administrationCents === 0) return [line]
    const fee = `Taxa de administração de ${`${administrationPercentage}`.replace('.', ',')}%`
    return [line, { ...line, description: fee, valueCents: administrationCents, effectCents: -administrationCents }]
  }),
})

/**
 * The same statement as a PDF.
 * Fails: `fields`, `owner.unknown`.
 * Source: decisions.md §6, Owner and Tenant.
 */
export const drawStatement = (ports: RealEstatePorts) => {
  const read = readStatement(ports)
  return (actor: Actor, id: string, given: StatementPeriod) =>
    useCaseOf<OwnerStatementPdf>()(async () => {
      const statement = await read(actor, id, given)()
      if (isLeft(statement)) return statement
      const { store, clock, ownerStatementRenderer } = ports
      const company = await store.find(byId(companies, actor.companyId))
      const paper = paperOf(statement.right, company?.legalName ?? null, clock.now())
      const pdf = await ownerStatementRenderer.ownerStatementPdf(paper)
      return right({ ownerId: statement.right.owner.id, period: statement.right.period, pdf })
    })
}
