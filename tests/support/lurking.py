"""A haunt with monsters that hide from the heroes: for laws over random games."""

LURKING = """
  id: lurking
  title: Lurking
  stage: draft
  kind: one-traitor
  traitor: {highest: might}
  story: S
  counters: {stabs: {title: Stabs, public: true}, bites: {title: Bites, public: true}}
  monsters:
    eel: {title: Eel, speed: 5, might: 3, hidden: true, color: blue}
    dog: {title: Dog, speed: 3, might: 3, dies: true, color: red}
  heroes:
    story: S
    goal: G
    actions:
      - {word: STAB, if: {with: {each: monster}}, once: {per: turn}, do: [{count: {counter: stabs, by: 1}}]}
      - {word: POKE, target: {each: monster, in: here}, once: {per: turn}, do: [{who: target, stop: moving}]}
      - {word: CALL, target: {each: monster}, once: {per: turn}, do: [{who: target, move: {to: entrance-hall}}]}
      - {word: HOWL, once: {per: turn}, do: [{shift: {monsters: any}}]}
      - {word: DAZE, once: {per: turn}, do: [{stun: {in: here}}]}
      - word: LEAP
        once: {per: turn}
        do: [{may: "yes", move: {to: {with: {each: monster}}}}]
    on:
      - when: turn-ended
        for: heroes
        if: {with: {each: monster}}
        do: [{count: {counter: stabs, by: 1}}]
    wins-when: {round-at-least: 9}
    because: Too late.
  traitor-book:
    story: S
    goal: G
    right-now:
      - {place-monster: {kind: eel, at: {besides-here: true, or-here: true}}}
      - {place-monster: {kind: eel, at: room-of-haunt}}
      - {place-monster: {kind: dog, at: room-of-haunt}}
    actions:
      - word: SEND
        once: {per: turn}
        target: {each: monster, kind: eel}
        do: [{who: target, move: {to: {besides-here: true}}}]
      - word: LUNGE
        for: monsters
        when: instead-of-attack
        target: {each: hero, in: here}
        do: [{who: target, damage: {kind: mental, points: 1}}]
    on:
      - when: turn-ended
        for: heroes
        if: {with: {each: monster, kind: eel}}
        do: [{count: {counter: bites, by: 1}}]
    wins-when: {counter: bites, at-least: 20}
    because: Bitten.
"""
SILENT = LURKING.replace("if: {with: {each: monster, kind: eel}}", "if: {with: {each: monster, kind: dog}}")
"""The same, but nothing that the book does tells where an eel is."""
