import { useState } from 'preact/hooks'
import { Check, Field, Form, refuseMistakes, useForm } from '../../../../panels/browser/form.tsx'
import { readMoney, typedMoney } from '../../../../panels/browser/format.ts'
import { Part } from '../parts.tsx'
import { request, SLOW_MS, useLive, withPassword } from '../session.ts'
import { withFactor } from './confirmations.tsx'

interface Policy {
  readonly second_factor_required: boolean
  /** The value of one withdrawal, in reais; null for none. */
  readonly second_factor_from: number | null
  /** The sum of the day, in reais; null for none. */
  readonly second_factor_day_from: number | null
}

interface PolicyReply {
  readonly second_factor: Policy
}

const POLICY = 'v1/account/second-factor'

/** The second factor that the account asks of its members. */
export const FactorPolicy = () => {
  const live = useLive<PolicyReply>(POLICY, SLOW_MS)
  return (
    <Part title="Segundo fator da equipe" live={live}>
      {live.data && <PolicyForm policy={live.data.second_factor} onSaved={live.refresh} />}
    </Part>
  )
}

const reaisText = (reais: number | null): string => (reais === null ? '' : typedMoney(reais))

/** Reads a typed value, which may be empty; undefined if it is no value. */
const readLimit = (typed: string): number | null | undefined =>
  typed.trim() === '' ? null : (readMoney(typed) ?? undefined)

const NO_VALUE = 'Escreva o valor em reais: 5.000,00. Deixe vazio para nunca pedir.'

const PolicyForm = ({ policy, onSaved }: { readonly policy: Policy; readonly onSaved: () => void }) => {
  const [isRequired, setRequired] = useState(policy.second_factor_required)
  const [isSaved, setSaved] = useState(false)
  const stored = {
    second_factor_from: reaisText(policy.second_factor_from),
    second_factor_day_from: reaisText(policy.second_factor_day_from),
  }
  const { action, draft, field } = useForm(stored)
  const save = async (): Promise<void> => {
    setSaved(false)
    const limits = Object.entries(draft).map(([name, text]) => [name, readLimit(text)] as const)
    const wrong = limits.filter(([, reais]) => reais === undefined)
    refuseMistakes(Object.fromEntries(wrong.map(([name]) => [name, NO_VALUE])))
    const body = { second_factor_required: isRequired, ...Object.fromEntries(limits) }
    await withPassword(() => withFactor((secondFactor) => request('PATCH', POLICY, { body, secondFactor })))
    setSaved(true)
    onSaved()
  }
  return (
    <Form action={action} button="Definir segundo fator" send={save}>
      <Check label="Exigir o segundo fator de todos os membros" isChecked={isRequired} onChecked={setRequired} />
      <Field
        {...field('second_factor_from', 'Pedir em saques e transferências a partir de')}
        inputMode="decimal"
        autocomplete="off"
        hint="Em reais, além do PIN. Vazio para nunca pedir."
      />
      <Field
        {...field('second_factor_day_from', 'Pedir quando a soma do dia chega a')}
        inputMode="decimal"
        autocomplete="off"
        hint="Em reais, com os saques e transferências anteriores do dia. Vazio para nunca pedir."
      />
      {isSaved && <p role="status">Segundo fator da equipe salvo.</p>}
    </Form>
  )
}
