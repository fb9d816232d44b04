/** The form by which a link is paid. What is asked of cards alone is hidden while another method is chosen, by no script. */
export const PAY_STYLE = `
.sum h2 { font-size: 1.25rem }
fieldset { margin: 1.75rem 0 0; padding: 0; border: 0; min-width: 0 }
form > :first-child, form > .fields:first-child label { margin-top: 0 }
legend { padding: 0; font-size: 1.125rem; font-weight: 700 }
.fields { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem }
.field { grid-column: 1 / -1; display: flex; flex-direction: column }
.field.short { grid-column: auto }
.field input { margin-top: auto }
.field label { margin-top: 1rem }
.field .hint, .field .error { margin-bottom: .375rem }
select { width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
.choices { display: grid; gap: .5rem; margin-top: .75rem }
.choice { display: flex; gap: .75rem; align-items: center; margin: 0; padding: .75rem; font-weight: 400;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
.choice:has(:checked) { border: 2px solid var(--deed); padding: calc(.75rem - 1px) }
.choice input { width: 1.25rem; min-height: 1.25rem; margin: 0; flex: none; accent-color: var(--deed) }
.choice .hint { display: block }
.fields + .only { margin-top: 1.25rem }
.only { margin: 0 }
.go { display: none }
.cancel { margin: 1rem 0 0; text-align: center }
button:disabled { opacity: .6; cursor: default }
@supports selector(:has(*)) {
  form:not(:has([value=CARD]:is(:checked, [type=hidden]))) .by-card { display: none }
  form:not(:has([value=CARD]:is(:checked, [type=hidden]))) .go { display: inline }
}
`
