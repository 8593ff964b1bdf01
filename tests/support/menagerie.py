"""A haunt in which monsters do all that a haunt can let them do: for laws over random games."""

MENAGERIE = """
  id: menagerie
  title: Menagerie
  stage: draft
  kind: one-traitor
  traitor: {highest: might}
  story: S
  counters: {bites: {title: Bites}}
  tokens:
    - id: burrow
      title: Burrow
      links: [{to: entrance-hall, both-ways: false, monsters-only: true}]
      actions:
        - {word: DIG, for: monsters, once: {per: turn, each: explorer}, do: [{count: {counter: bites, by: 1}}]}
  items:
    - {id: stake, deck: item, title: Stake, text: Ash wood., attack: {kills: [mole]}}
  monsters:
    magpie: {title: Magpie, speed: 4, might: 3, carries: true, attack: {steals: true}, color: blue}
    ape: {title: Ape, speed: 3, might: 4, carries: true, keeps: true, uses-items: true, color: red}
    mole: {title: Mole, speed: 3, might: 2, explores: true, color: green}
  heroes:
    story: S
    goal: G
    right-now:
      - {give: stake}
      - {place-token: {token: burrow, at: room-of-haunt}}
    instead-of-death:
      - {change-side: traitor}
    actions:
      - {word: DAZZLE, once: {per: turn}, do: [{stun: {in: here}}]}
    wins-when: {monsters-gone: any, round-at-least: 1}
    because: All gone.
  traitor-book:
    story: S
    goal: G
    right-now:
      - {place-monster: {kind: magpie, at: room-of-haunt, count: 2}}
      - {place-monster: {kind: ape, at: room-of-haunt}}
      - {place-monster: {kind: mole, at: basement-landing, count: 2}}
      - {remove: you}
    plays-on: {count: {monsters: any}, at-least: 1}
    actions:
      - {word: LURE, once: {per: turn}, target: {each: monster}, do: [{who: target, move: {to: entrance-hall}}]}
      - {word: BITE, for: monsters, when: instead-of-attack, target: {each: hero, in: here}, do: [{damage: {kind: mental, points: 1}, who: target}]}
    wins-when: {round-at-least: 15}
    because: Too late.
"""

AVIARY = """
  id: aviary
  title: Aviary
  stage: draft
  kind: hidden-traitor
  traitor: {hidden: true}
  story: S
  counters: {eggs: {title: Eggs, public: true}}
  monsters:
    magpie: {title: Magpie, speed: 4, might: 2, color: blue}
    statue: {title: Statue, speed: 2, might: 2, stuns: false, color: red}
    egg: {title: Egg, speed: 1, might: 1, dies: true, explores: true, color: green}
  monsters-turn: {after: left-of-revealer, run-by: RUN-BY}
  heroes:
    story: S
    goal: G
    right-now:
      - {place-monster: {kind: magpie, at: room-of-haunt, count: 2}}
      - {place-monster: {kind: statue, at: basement-landing}}
      - {place-monster: {kind: egg, at: ground-floor-staircase, count: {players: {3: 1, 4: 2, 5: 2, 6: 3}}}}
    actions:
      - {word: SCARE, once: {per: turn}, do: [{lose: {trait: speed}, who: {each: character, in: here}}]}
    on:
      - {when: round-started, do: [{count: {counter: eggs, by: 1}}]}
      - {when: round-started, if: {counter: eggs, at-least: 5}, do: [{reveal: traitor}]}
      - {when: turn-started, if: {dead: all-heroes}, do: [{win: {side: traitor, because: Nobody else is left.}}]}
    wins-when: {counter: eggs, at-least: 8}
    because: Hatched.
  revealed:
    - {heal: {traits: [might]}}
"""
"""A haunt of the third edition with a hidden traitor, whose monsters act after whoever sits to the revealer's left."""
