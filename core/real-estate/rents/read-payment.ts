import { right } from '../../failure.ts'
import { guid, nullIfAbsent, output, type Paging, paging, pick, view } from '../../kernel/input/mod.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../ports/store.ts'
import { ifWithin, readContractLimit, readPage } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { createdAt } from '../records/fields.ts'
import { type Payment, payment, paymentFields, payments, totalPaidCents } from '../records/payment.ts'

// Nullable because the stored copy is; every payment has a value.
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

export const paymentView = view(
  'Payment',
  {
    id: guid({ about: 'Identificador' }),
    ...shown,
    ...pick(payment.spec.internal, 'status', 'method', 'paidAt', 'paidValueCents', 'receivedCents', 'receiptUrl'),
    notes,
    ...pick(payment.spec.internal, 'boletoUrl'),
    contractId,
    contract: output.view(contractOfPayment, { about: 'O contrato' }),
    createdAt,
  },
  (of: Payment) => ({ ...of, paidValueCents: totalPaidCents(of), contract: of }),
)

const scope = scopeOf(payment)

export const listPayments =
  (ports: RealEstatePorts) =>
  (actor: Actor, submitted: Paging, filter: ResourceFilter = {}) =>
    withValidInput(ports, paging, submitted, (page) =>
      useCaseOf<PageOf<Payment>>()(async () => {
        const { store } = ports
        const query = { from: payments, where: scope.where({ companyId: actor.companyId }, filter), when: 'live' }
        return right(await readPage(store, query, page, await readContractLimit(store, actor)))
      }),
    )

export const readPayment =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('payment.unknown', async () => {
      const found = await scope.find(store, { companyId: actor.companyId }, id)
      return found && ifWithin(found, await readContractLimit(store, actor))
    })
