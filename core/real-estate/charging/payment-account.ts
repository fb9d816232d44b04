import { invalid, issue, left } from '../../failure.ts'
import { type InputOf, input, output, secret, view } from '../../kernel/input/mod.ts'
import { always, at, type Collection, insert, patch, record, t } from '../../kernel/records/record.ts'
import { accept, readUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { chargingOf, UNAVAILABLE } from './charge.ts'

const paymentAccount = record({
  /** The id of the company. */
  id: t.string,
  name: t.string,
  /** Sealed under `DATA_KEY`; no view shows it. */
  apiKeySealed: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

/** The account in the payments business that receives a company's payments. */
type PaymentAccount = t.TypeOf<typeof paymentAccount>

export const paymentAccounts: Collection<PaymentAccount> = {
  name: 'estate.payment-accounts',
  ids: 'text',
  codec: paymentAccount,
  owner: null,
}

const contextOf = (companyId: string): string => [...at(paymentAccounts, companyId), 'apiKey'].join('/')

export const apiKeyIn = (cipher: Pick<Cipher, 'open'>, { id, apiKeySealed }: PaymentAccount): string =>
  cipher.open(apiKeySealed, contextOf(id))

export const newPaymentAccount = input('NewPaymentAccount', {
  apiKey: secret({ max: 255, about: 'Chave de API da conta de pagamentos' }),
})

type NewPaymentAccount = InputOf<typeof newPaymentAccount>

type NamedAccount = Pick<PaymentAccount, 'name'>

export const paymentAccountView = view('PaymentAccount', {
  name: output.text({ about: 'Nome da conta de pagamentos' }),
})

export const setPaymentAccount =
  (ports: RealEstatePorts) =>
  ({ companyId: id }: CompanyActor, submitted: NewPaymentAccount) =>
    withValidInput(ports, newPaymentAccount, submitted, ({ apiKey }) =>
      useCaseOf<NamedAccount>()(async (hooks) => {
        const answer = await chargingOf(ports).account(apiKey)
        if (answer.outcome === 'unavailable' || answer.outcome === 'unknown') return left(UNAVAILABLE)
        if (answer.outcome === 'refused' || !answer.value) return left(invalid([issue('apiKey', 'unknown')]))
        const { name } = answer.value
        return useCase(
          ports,
          (store) => store.find(byId(paymentAccounts, id)),
          (current, { now }) => {
            const set = { name, apiKeySealed: ports.cipher.seal(apiKey, contextOf(id)), updatedAt: now }
            const change = current
              ? patch(paymentAccounts, id, { set, when: always })
              : insert(paymentAccounts, { id, createdAt: now, ...set })
            return accept<NamedAccount>({ name }, change)
          },
        )(hooks)
      }),
    )

export const readPaymentAccount =
  ({ store }: RealEstatePorts) =>
  ({ companyId }: CompanyActor) =>
    readUseCase('payment-account.unknown', async (): Promise<NamedAccount | null> => {
      const account = await store.find(byId(paymentAccounts, companyId))
      return account && { name: account.name }
    })
