import { render } from 'preact'
import { keepFocus } from '../../../panels/browser/elements.tsx'
import { Board } from './board.tsx'
import { Enter, FoundCompany, Refusal, Reset } from './enter.tsx'
import { start } from './entry.ts'
import { view } from './session.ts'

const Panel = () => {
  const current = view.value
  switch (current.name) {
    case 'wait':
      return (
        <p class="narrow hint" role="status">
          {current.text}
        </p>
      )
    case 'enter':
      return <Enter {...current} />
    case 'refused':
      return <Refusal {...current} />
    case 'found':
      return <FoundCompany {...current} />
    case 'reset':
      return <Reset />
    case 'board':
      return <Board profile={current.profile} />
  }
}

start()
const place = document.querySelector<HTMLElement>('#panel')
place?.replaceChildren()
if (place) {
  render(<Panel />, place)
  keepFocus(place)
}
