import { type ComponentChildren, createContext, h, type TargetedInputEvent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Alert, Dialog } from './elements.tsx'
import { type Action, useAction } from './live.ts'

/** The number of ended tries to send the form around a field. */
const Tries = createContext(0)

/** Returns the error of a field until the field is edited, and a function to call at each edit. */
const useError = (error: string | undefined) => {
  const tries = useContext(Tries)
  const [editedAt, setEditedAt] = useState<number | null>(null)
  return [editedAt === tries ? undefined : error, () => setEditedAt(tries)] as const
}

const ErrorText = ({ id, text }: { readonly id: string; readonly text: string | undefined }) =>
  text ? (
    <p class="error" role="alert" id={id}>
      {text}
    </p>
  ) : null

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
export const Field = ({ label, name, value, onValue, error: failure, hint, ...input }: FieldProps) => {
  const [error, onEdit] = useError(failure)
  return (
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
        onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
          onEdit()
          onValue(currentTarget.value)
        },
        'aria-invalid': error ? true : undefined,
        'aria-describedby': [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined,
        ...input,
      })}
      <ErrorText id={`${name}-error`} text={error} />
    </div>
  )
}

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

export const Choice = ({ label, name, value, onValue, options, error: failure }: ChoiceProps) => {
  const [error, onEdit] = useError(failure)
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${name}-error`}
        onChange={({ currentTarget }) => {
          onEdit()
          onValue(currentTarget.value)
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      <ErrorText id={`${name}-error`} text={error} />
    </div>
  )
}

interface ChecksProps extends Pick<ChoiceProps, 'name' | 'options' | 'error'> {
  readonly legend: string
  readonly values: readonly string[]
  readonly onValues: (values: string[]) => void
}

/** A group of boxes to check. */
export const Checks = ({ legend, name, values, onValues, options, error: failure }: ChecksProps) => {
  const [error, onEdit] = useError(failure)
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([each, text]) => (
        <label class="check" key={each}>
          <input
            type="checkbox"
            checked={values.includes(each)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && `${name}-error`}
            onChange={({ currentTarget }) => {
              onEdit()
              onValues(currentTarget.checked ? [...values, each] : values.filter((value) => value !== each))
            }}
          />
          {text}
        </label>
      ))}
      <ErrorText id={`${name}-error`} text={error} />
    </fieldset>
  )
}

interface FormProps {
  readonly action: Action
  readonly onSend: () => void
  readonly button: string
  /** The browser checks the fields first. */
  readonly checks?: boolean
  readonly children: ComponentChildren
}

/**
 * A form whose button is off while it is sent. After a failure the first wrong field has the focus; failures that belong to no
 * field stand above the button.
 */
export const Form = ({ action, onSend, button, checks = false, children }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.tries])
  return (
    <Tries.Provider value={action.tries}>
      <form
        ref={form}
        noValidate={!checks}
        onSubmit={(event) => {
          event.preventDefault()
          onSend()
          action.skip()
        }}
      >
        {children}
        <Alert key={action.tries} text={action.error} />
        <button type="submit" aria-disabled={action.isRunning}>
          {action.isRunning ? 'Enviando…' : button}
        </button>
      </form>
    </Tries.Provider>
  )
}

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
