import { useState } from 'preact/hooks'
import { Button, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form, PinField, readAmount, useForm } from '../../../panels/browser/form.tsx'
import { instantText, money } from '../../../panels/browser/format.ts'
import { type ListReply, pageQuery, Search } from '../../../panels/browser/list.tsx'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { Limits, Recipients, type Withdrawal, WithdrawalChip } from './money-out.tsx'
import { Back, Fact, Line, Records } from './parts.tsx'
import { requestWithFactor } from './security/confirmations.tsx'
import { may, request, requestOnce, useLive, withPassword } from './session.ts'

export const Withdrawals = () => {
  const search = route.value.query.get('search') ?? ''
  const live = useLive<ListReply<Withdrawal>>(`recipients?${pageQuery(20, { search })}`)
  const balance = useLive<{ readonly balance: number }>(may('statements:read') ? 'consolidation/balance' : null)
  return (
    <>
      <header class="head">
        <div>
          <Title>Saques</Title>
          {may('statements:read') && <p class="hint">Saldo: {balance.data ? money(balance.data.balance) : '…'}</p>}
        </div>
        {may('withdrawals:write') && (
          <div class="choices">
            <a class="button" href="#/saques/novo">
              Sacar por Pix
            </a>
            <a class="button" href="#/transferencias">
              Transferir
            </a>
          </div>
        )}
      </header>
      <Search placeholder="Nome ou chave Pix" onSearch={(text) => goTo(addressOf('/saques', { search: text }))} />
      <Records
        live={live}
        lines={5}
        none={search === '' ? 'Nenhum saque ainda.' : 'Nenhum saque com esta busca.'}
        one="saque"
        many="saques"
      >
        {(withdrawal) => (
          <Line
            key={withdrawal.id}
            href={`#/saques/${withdrawal.id}`}
            name={withdrawal.name}
            note={[instantText(withdrawal.created_at), withdrawal.key_pix].filter(Boolean).join(' · ')}
          >
            <WithdrawalChip status={withdrawal.status} />
            <strong>{money(withdrawal.value)}</strong>
          </Line>
        )}
      </Records>
      <div class="columns below">
        <Limits />
        <Recipients />
      </div>
    </>
  )
}

interface LookupReply {
  readonly data: {
    readonly internal_id: number
    readonly account_balance: number
    readonly recebedor: { readonly nome: string; readonly documento: string; readonly banco: string }
  }
}

interface Confirmed {
  readonly keypix: string
  readonly value: number
  readonly found: LookupReply['data']
}

/** A withdrawal by Pix key: the key is looked up first, and the PIN confirms the shown receiver. */
export const NewWithdrawal = () => {
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null)
  const { action, draft, field } = useForm({ keypix: route.value.query.get('chave') ?? '', value: '' })
  const me = useLive<{ readonly account: { readonly has_pin: boolean } }>('v1/account', 10_000)
  if (me.data?.account.has_pin === false) return <NewPin onSaved={me.refresh} />
  if (confirmed) return <Confirm {...confirmed} onBack={() => setConfirmed(null)} />
  const lookUp = async (): Promise<void> => {
    const body = { keypix: draft.keypix.trim(), value: readAmount('value', draft.value) }
    const { data } = await requestOnce<LookupReply>('recipients', body)
    setConfirmed({ ...body, found: data })
  }
  return (
    <section class="card narrow">
      <Back href="#/saques">Saques</Back>
      <Title>Sacar por Pix</Title>
      <Form action={action} button="Consultar chave" send={lookUp}>
        <Field
          {...field('keypix', 'Chave Pix')}
          autocomplete="off"
          hint="CPF, CNPJ, e-mail, telefone ou chave aleatória."
        />
        <Field {...field('value', 'Valor em reais')} inputMode="decimal" autocomplete="off" />
      </Form>
    </section>
  )
}

const Confirm = ({ keypix, value, found, onBack }: Confirmed & { readonly onBack: () => void }) => {
  const { action, draft, set, field } = useForm({ pin: '' })
  const { recebedor: receiver } = found
  return (
    <section class="card narrow">
      <Title>Sacar {money(value)}?</Title>
      <dl class="facts">
        <Fact name="Recebe">
          {receiver.nome}
          <br />
          {receiver.documento}
        </Fact>
        <Fact name="Banco">{receiver.banco}</Fact>
        <Fact name="Chave">{keypix}</Fact>
        <Fact name="Saldo">{money(found.account_balance)}</Fact>
      </dl>
      <Form
        action={action}
        button={`Sacar ${money(value)}`}
        send={async () => {
          const body = { internal_id: found.internal_id, keypix, value, ...draft }
          await requestWithFactor('api/pix/withdraw', body).finally(() => set({ pin: '' }))
          goTo('/saques')
        }}
      >
        <PinField {...field('pin', 'PIN')} error={action.fields.pin ?? action.fields.value} />
      </Form>
      <div class="choices">
        <Button onClick={onBack}>Voltar</Button>
      </div>
    </section>
  )
}

const NewPin = ({ onSaved }: { readonly onSaved: () => void }) => {
  if (!may('account:write'))
    return (
      <section class="card narrow">
        <Title>A conta ainda não tem PIN</Title>
        <p>Peça a quem administra a organização para criá-lo. Sem ele nada sai da conta.</p>
      </section>
    )
  return (
    <section class="card narrow">
      <Title>Crie o PIN da conta</Title>
      <PinForm onSaved={onSaved} />
    </section>
  )
}

interface PinFormProps {
  readonly onSaved: () => void
}

/** Offers the PIN where forms would ask for one that does not exist yet; the text names their data. */
export const PinFirst = ({ onSaved, children }: PinFormProps & { readonly children: string }) => (
  <>
    <p>{children} com o PIN da conta, que ainda não existe. Crie-o primeiro.</p>
    <PinForm onSaved={onSaved} />
  </>
)

const PinForm = ({ onSaved }: PinFormProps) => {
  const { action, draft: body, field } = useForm({ pin: '', confirm_pin: '' }, { prefix: 'new-' })
  return (
    <>
      <p class="hint">Seis dígitos, pedidos em cada saque e em cada mudança da conta.</p>
      <Form
        action={action}
        button="Criar PIN"
        send={async () => {
          await withPassword(() => request('POST', 'access/account/pin', { body }))
          onSaved()
        }}
      >
        <PinField {...field('pin', 'PIN')} />
        <PinField {...field('confirm_pin', 'O PIN, outra vez')} />
      </Form>
    </>
  )
}
