import { type ComponentChildren, h, type TargetedInputEvent } from 'preact'
import { Alert, Dialog } from './elements.tsx'
import { type Action, useAction } from './live.ts'

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: string | undefined
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'date'
  readonly autocomplete?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'text'
  readonly required?: boolean
  readonly min?: string
  readonly minLength?: number
  readonly maxLength?: number
}

/** A labelled input with its hint and its error, which belong to it for screen readers. */
export const Field = ({ label, name, value, onValue, error, hint, ...input }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {h('input', {
      id: name,
      name,
      value,
      onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onValue(currentTarget.value),
      'aria-invalid': error ? true : undefined,
      'aria-describedby': [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined,
      ...input,
    })}
    {error && (
      <p class="error" role="alert" id={`${name}-error`}>
        {error}
      </p>
    )}
  </div>
)

type NewPasswordProps = Pick<FieldProps, 'label' | 'value' | 'onValue' | 'error'>

export const NewPasswordField = (props: NewPasswordProps) => (
  <Field name="password" type="password" autocomplete="new-password" hint="Com pelo menos 8 caracteres." {...props} />
)

type EmailProps = Pick<FieldProps, 'value' | 'onValue' | 'error' | 'required'>

/** The e-mail by which a user signs in. */
export const EmailField = (props: EmailProps) => (
  <Field label="E-mail" name="email" type="email" autocomplete="username" {...props} />
)

interface PinProps {
  /** The id of the input, unique in the view. */
  readonly name: string
  readonly label?: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
}

/** The field of the account's PIN, which the browser does not store. */
export const PinField = ({ name, label = 'PIN da conta', value, onValue, error }: PinProps) => (
  <Field
    label={label}
    name={name}
    type="password"
    inputMode="numeric"
    autocomplete="off"
    maxLength={6}
    value={value}
    onValue={onValue}
    error={error}
  />
)

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly error?: string | undefined
}

export const Choice = ({ label, name, value, onValue, options, error }: ChoiceProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
    {error && (
      <p class="error" role="alert">
        {error}
      </p>
    )}
  </div>
)

interface FormProps {
  readonly action: Action
  readonly onSend: () => void
  readonly button: string
  /** The browser checks the fields first. */
  readonly checks?: boolean
  readonly children: ComponentChildren
}

/** A form whose button is off while it is sent. Failures that belong to no field stand above the button. */
export const Form = ({ action, onSend, button, checks = false, children }: FormProps) => (
  <form
    noValidate={!checks}
    onSubmit={(event) => {
      event.preventDefault()
      onSend()
    }}
  >
    {children}
    <Alert text={action.error} />
    <button type="submit" aria-disabled={action.isRunning}>
      {action.isRunning ? 'Enviando…' : button}
    </button>
  </form>
)

interface ConfirmProps {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly onClose: () => void
  readonly perform: () => Promise<void>
}

/** A dialog that asks before an action, and shows its failure. */
export const Confirm = ({ title, text, button, onClose, perform }: ConfirmProps) => {
  const action = useAction()
  return (
    <Dialog title={title} isWarning onClose={onClose}>
      <p>{text}</p>
      <Form action={action} button={button} onSend={() => action.run(perform)}>
        {null}
      </Form>
    </Dialog>
  )
}
