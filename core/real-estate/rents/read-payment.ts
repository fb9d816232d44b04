import { right } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { pick } from '../../kernel/input/input.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { guid, instant } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { listWithin } from '../../kernel/resources/list-queries.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/scope.ts'
import { newestQuery } from '../../kernel/running/slices.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import type { Store } from '../../ports/store.ts'
import { ownClientIds, ownPropertyIds } from '../own.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Payment, payment, paymentFields, payments } from '../records/payment.ts'

// Nullable because the stored field is; every payment has a value.
const id = nullIfAbsent(guid({ about: 'Identificador' }))

const clientOfPayment = view(
  'PaymentClient',
  { id, name: output.text({ about: 'Nome' }) },
  ({ clientId, clientName: name }: Payment) => ({ id: clientId, name }),
)
const propertyOfPayment = view(
  'PaymentProperty',
  { id, code: output.text({ about: 'Código' }) },
  ({ propertyId, propertyCode: code }: Payment) => ({ id: propertyId, code }),
)

const contractOfPayment = view(
  'PaymentContract',
  {
    id: guid({ about: 'Identificador' }),
    client: output.view(clientOfPayment, { about: 'O cliente do contrato' }),
    property: output.view(propertyOfPayment, { about: 'O imóvel do contrato' }),
  },
  (of: Payment) => ({ id: of.contractId, client: of, property: of }),
)

const { contractId, notes, ...shown } = paymentFields

/** A payment as the API shows it. */
export const paymentView = view(
  'Payment',
  {
    id: guid({ about: 'Identificador' }),
    ...shown,
    ...pick(payment.spec.internal, 'status', 'method', 'paidAt', 'paidValueCents', 'receiptUrl'),
    notes,
    ...pick(payment.spec.internal, 'boletoUrl'),
    contractId,
    contract: output.view(contractOfPayment, { about: 'O contrato' }),
    createdAt: instant({ about: 'Criação' }),
  },
  (of: Payment) => ({ ...of, contract: of }),
)

const scope = scopeOf(payment)

/** The field and values that limit an actor to the own payments; null without a limit. */
const ownOf = async (store: Pick<Store, 'find' | 'list'>, actor: Actor) => {
  if (actor.role === 'Owner') return { field: 'propertyId', ids: await ownPropertyIds(store, actor) } as const
  return actor.role === 'Tenant' ? ({ field: 'clientId', ids: await ownClientIds(store, actor) } as const) : null
}

export const listPayments =
  (ports: RealEstatePorts) =>
  (actor: Actor, given: Paging, filter: ResourceFilter = {}) =>
    withValidInput(ports, paging, given, (page) =>
      useCaseOf<PageOf<Payment>>()(async () => {
        const { store } = ports
        const { companyId } = actor
        const where = scope.where({ companyId }, filter)
        const query = {
          ...newestQuery({ from: payments, where, when: 'live' }),
          limit: page.perPage,
          offset: offsetOf(page),
          total: true,
        }
        const own = await ownOf(store, actor)
        const { records, total } = await (own ? listWithin(store, query, own.field, own.ids) : store.list(query))
        return right({ ...page, records, total: total ?? 0 })
      }),
    )

export const readPayment =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('payment.unknown', async () => {
      const found = await scope.find(store, { companyId: actor.companyId }, id)
      const own = found && (await ownOf(store, actor))
      return own && !own.ids.some((each) => each === found?.[own.field]) ? null : found
    })
