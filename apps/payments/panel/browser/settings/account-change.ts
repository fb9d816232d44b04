import { useState } from 'preact/hooks'
import { useAction } from '../../../../panels/browser/live.ts'
import { request, withPassword } from '../session.ts'

/** Sends a change of the account with its PIN, which is forgotten afterwards. */
export const useAccountChange = () => {
  const [pin, setPin] = useState('')
  const [isSaved, setSaved] = useState(false)
  const action = useAction()
  const save = (change: object, onSaved?: () => void): void =>
    action.run(async () => {
      setSaved(false)
      try {
        await withPassword(() => request('PUT', 'access/account', { body: { pin, ...change } }))
      } finally {
        setPin('')
      }
      setSaved(true)
      onSaved?.()
    })
  return { pin, setPin, isSaved, action, save }
}
