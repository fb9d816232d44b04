import { left } from '../../failure.ts'
import { output, view } from '../../kernel/input/mod.ts'
import { all, eq, patch } from '../../kernel/records/record.ts'
import { accept, randomCode, readUseCase, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { releaseUnique, reserveUnique } from '../claim.ts'
import { type AuditActor, auditAccount } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { API_KEY_LENGTH, accounts, apiKeyOf, isExisting, sealedApiKey, UNKNOWN_ACCOUNT } from './account.ts'
import { nextUpdatedAt } from './change-account.ts'
import { type ShownSecrets, secretsOf } from './views.ts'

export const readSecrets =
  ({ store, cipher }: Pick<PaymentsPorts, 'store' | 'cipher'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>) =>
    readUseCase('account.unknown', async (): Promise<ShownSecrets | null> => {
      const account = await store.find(byId(accounts, accountId))
      return isExisting(account) ? secretsOf(cipher, account) : null
    })

export const replaceApiKey = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'> & AuditActor) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, actor.accountId)),
    (account, fresh) => {
      if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
      const { cipher, digest } = ports
      const { id } = account
      const apiKey = randomCode(fresh, API_KEY_LENGTH)
      const set = { apiKeySealed: sealedApiKey(cipher, id, apiKey), updatedAt: nextUpdatedAt(account, fresh.now) }
      const when = all(eq('removedAt', null), eq('apiKeySealed', account.apiKeySealed))
      return accept<ShownSecrets>(
        secretsOf(cipher, { ...account, ...set }),
        patch(accounts, id, { set, when }),
        releaseUnique('api-key', digest.sha256(apiKeyOf(cipher, account))),
        reserveUnique('api-key', digest.sha256(apiKey), id, id),
        ...auditAccount(fresh, actor, id, 'key.replaced'),
      )
    },
  )

export const secretsView = view(
  'AccountSecrets',
  {
    apiKey: output.text({ about: 'Chave de API' }),
    webhookSecret: output.text({ about: 'Chave que assina os webhooks' }),
  },
  (secrets: ShownSecrets) => secrets,
)
