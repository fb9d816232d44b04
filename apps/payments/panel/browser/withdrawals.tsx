import { useState } from 'preact/hooks'
import { Alert, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form, PinField } from '../../../panels/browser/form.tsx'
import { instantText, money, readMoney } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, Search } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { Limits, Recipients, type Withdrawal, WithdrawalChip } from './money-out.tsx'
import { requestWithFactor } from './security/confirmations.tsx'
import { may, request, requestOnce, useLive, withPassword } from './session.ts'

export const Withdrawals = () => {
  const { query } = route.value
  const search = query.get('search') ?? ''
  const sent = new URLSearchParams({ per_page: '20', page: query.get('pagina') ?? '1', ...(search && { search }) })
  const { data, error } = useLive<ListReply<Withdrawal>>(`recipients?${sent}`)
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
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={5} />}
      {data && data.data.length === 0 && (
        <p class="none">{search === '' ? 'Nenhum saque ainda.' : 'Nenhum saque com esta busca.'}</p>
      )}
      {data && data.data.length > 0 && (
        <section class="card part">
          <ul class="lines">
            {data.data.map((withdrawal) => (
              <li key={withdrawal.id}>
                <span>
                  <a href={`#/saques/${withdrawal.id}`}>{withdrawal.name}</a>
                  <small>
                    {instantText(withdrawal.created_at)}
                    {withdrawal.key_pix && ` · ${withdrawal.key_pix}`}
                  </small>
                </span>
                <WithdrawalChip status={withdrawal.status} />
                <strong>{money(withdrawal.value)}</strong>
              </li>
            ))}
          </ul>
          <Pages meta={data.meta} one="saque" many="saques" />
        </section>
      )}
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
  const [keypix, setKey] = useState(route.value.query.get('chave') ?? '')
  const [value, setValue] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null)
  const action = useAction()
  const me = useLive<{ readonly account: { readonly has_pin: boolean } }>('v1/account', 10_000)
  if (me.data?.account.has_pin === false) return <NewPin onSaved={me.refresh} />
  if (confirmed) return <Confirm {...confirmed} onBack={() => setConfirmed(null)} />
  const lookUp = (): void => {
    const reais = readMoney(value)
    setMistake(reais === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (reais === null) return
    action.run(async () => {
      const body = { keypix: keypix.trim(), value: reais }
      const { data } = await requestOnce<LookupReply>('recipients', body)
      setConfirmed({ ...body, found: data })
    })
  }
  return (
    <section class="card narrow">
      <p class="hint">
        <a href="#/saques">Saques</a>
      </p>
      <Title>Sacar por Pix</Title>
      <Form action={action} button="Consultar chave" onSend={lookUp}>
        <Field
          label="Chave Pix"
          name="keypix"
          autocomplete="off"
          hint="CPF, CNPJ, e-mail, telefone ou chave aleatória."
          value={keypix}
          onValue={setKey}
          error={action.fields.keypix}
        />
        <Field
          label="Valor em reais"
          name="value"
          inputMode="decimal"
          autocomplete="off"
          value={value}
          onValue={setValue}
          error={mistake ?? action.fields.value}
        />
      </Form>
    </section>
  )
}

const Confirm = ({ keypix, value, found, onBack }: Confirmed & { readonly onBack: () => void }) => {
  const [pin, setPin] = useState('')
  const action = useAction()
  const { recebedor: receiver } = found
  return (
    <section class="card narrow">
      <Title>Sacar {money(value)}?</Title>
      <dl class="facts">
        <div>
          <dt>Recebe</dt>
          <dd>
            {receiver.nome}
            <br />
            {receiver.documento}
          </dd>
        </div>
        <div>
          <dt>Banco</dt>
          <dd>{receiver.banco}</dd>
        </div>
        <div>
          <dt>Chave</dt>
          <dd>{keypix}</dd>
        </div>
        <div>
          <dt>Saldo</dt>
          <dd>{money(found.account_balance)}</dd>
        </div>
      </dl>
      <Form
        action={action}
        button={`Sacar ${money(value)}`}
        onSend={() =>
          action.run(async () => {
            try {
              await requestWithFactor('api/pix/withdraw', { internal_id: found.internal_id, keypix, value, pin })
            } finally {
              setPin('')
            }
            goTo('/saques')
          })
        }
      >
        <PinField
          name="pin"
          label="PIN"
          value={pin}
          onValue={setPin}
          error={action.fields.pin ?? action.fields.value}
        />
      </Form>
      <div class="choices">
        <button type="button" class="quiet" onClick={onBack}>
          Voltar
        </button>
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
  const [pin, setPin] = useState('')
  const [again, setAgain] = useState('')
  const action = useAction()
  return (
    <>
      <p class="hint">Seis dígitos, pedidos em cada saque e em cada mudança da conta.</p>
      <Form
        action={action}
        button="Criar PIN"
        onSend={() =>
          action.run(async () => {
            const body = { pin, confirm_pin: again }
            await withPassword(() => request('POST', 'access/account/pin', { body }))
            onSaved()
          })
        }
      >
        <PinField name="new-pin" label="PIN" value={pin} onValue={setPin} error={action.fields.pin} />
        <PinField
          name="new-pin-again"
          label="O PIN, outra vez"
          value={again}
          onValue={setAgain}
          error={action.fields.confirm_pin}
        />
      </Form>
    </>
  )
}
