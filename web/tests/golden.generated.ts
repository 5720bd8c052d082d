// Generated from crates/protocol/fixtures, so that the compiler checks golden messages against the types.

import type * as protocol from '../src/protocol';

export const events: Record<string, protocol.Event> = {
  "chat": {
    "from": "Ann",
    "kind": "chat",
    "side": "first",
    "text": "good luck"
  },
  "chat-of-spectator": {
    "from": "Eve",
    "kind": "chat",
    "text": "hello"
  },
  "created": {
    "creator": "g:1",
    "kind": "created",
    "seats": [
      {
        "id": "g:1",
        "kind": "person",
        "name": "Ann"
      },
      {
        "kind": "open"
      }
    ],
    "settings": {
      "clock": {
        "increment_ms": 2000,
        "initial_ms": 180000,
        "kind": "game"
      },
      "game": "connect-four:6x7x4",
      "invited": "u:2",
      "listed": true,
      "position": "6/6 w",
      "rated": false,
      "take_back": true,
      "tournament": "c"
    }
  },
  "draw-declined": {
    "kind": "draw-declined",
    "side": "second"
  },
  "draw-offered": {
    "kind": "draw-offered",
    "side": "first"
  },
  "drawn": {
    "kind": "ended",
    "reason": "agreement",
    "winner": null
  },
  "ended": {
    "kind": "ended",
    "ratings": [
      null,
      {
        "after": 1500.5,
        "before": 1512.0,
        "deviation": 80.25
      }
    ],
    "reason": "resignation",
    "winner": "first"
  },
  "moved": {
    "kind": "moved",
    "lag_compensation_ms": 120,
    "left_ms": [
      180000,
      180000
    ],
    "move": "4",
    "ply": 1,
    "side": "first"
  },
  "moved-by-program": {
    "kind": "moved",
    "move": "4",
    "ply": 2,
    "side": "second",
    "thought": {
      "candidates": [
        "4"
      ],
      "depth": 14,
      "line": [
        "4",
        "4",
        "3"
      ],
      "move": "4",
      "nodes": 12345,
      "reasons": [
        {
          "reason": "win"
        },
        {
          "changes": [
            {
              "points": -172,
              "term": "odd-threats"
            }
          ],
          "moves": [
            "3",
            "4"
          ],
          "proven": null,
          "reason": "second-best",
          "score": 12
        }
      ],
      "score": 31
    }
  },
  "paced": {
    "delay_ms": 300,
    "kind": "paced",
    "paused": true
  },
  "rematch": {
    "kind": "rematch",
    "table": "t2"
  },
  "rematch-offered": {
    "kind": "rematch-offered",
    "side": "second"
  },
  "seated": {
    "kind": "seated",
    "occupant": {
      "id": "u:2",
      "kind": "person",
      "name": "Bob",
      "rating": 1512
    },
    "side": "second"
  },
  "stepped": {
    "kind": "stepped"
  },
  "take-back-asked": {
    "kind": "take-back-asked",
    "side": "first"
  },
  "take-back-declined": {
    "kind": "take-back-declined",
    "side": "second"
  },
  "taken-back": {
    "kind": "taken-back",
    "left_ms": [
      180000,
      180000
    ],
    "ply": 0
  }
};

export const bot_events: Record<string, protocol.BotEvent> = {
  "challenge": {
    "kind": "challenge",
    "table": {
      "clock": {
        "kind": "none"
      },
      "created_at": 1700000000000,
      "game": "connect-four:6x7x4",
      "ply": 12,
      "rated": false,
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "id": "u:2",
          "kind": "person",
          "name": "Bob",
          "rating": 1512
        }
      ],
      "status": "open",
      "table": "t",
      "updated_at": 1700000100000
    }
  },
  "game-end": {
    "kind": "game-end",
    "table": {
      "clock": {
        "kind": "none"
      },
      "created_at": 1700000000000,
      "game": "connect-four:6x7x4",
      "ply": 12,
      "rated": false,
      "reason": "time",
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "id": "u:2",
          "kind": "person",
          "name": "Bob",
          "rating": 1512
        }
      ],
      "status": "ended",
      "table": "t",
      "updated_at": 1700000100000,
      "winner": "second"
    }
  },
  "game-start": {
    "kind": "game-start",
    "table": {
      "clock": {
        "kind": "none"
      },
      "created_at": 1700000000000,
      "game": "connect-four:6x7x4",
      "ply": 12,
      "rated": false,
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "id": "u:2",
          "kind": "person",
          "name": "Bob",
          "rating": 1512
        }
      ],
      "status": "playing",
      "table": "t",
      "updated_at": 1700000100000
    }
  }
};

export const occupants: Record<string, protocol.Occupant> = {
  "account": {
    "id": "u:2",
    "kind": "person",
    "name": "Bob",
    "rating": 1512
  },
  "guest": {
    "id": "g:1",
    "kind": "person",
    "name": "Ann"
  },
  "level": {
    "kind": "program",
    "name": "level:3",
    "rating": 1010
  },
  "open": {
    "kind": "open"
  },
  "program": {
    "kind": "program",
    "name": "random"
  }
};

export const opponents: Record<string, protocol.Opponent> = {
  "challenge": {
    "kind": "challenge",
    "name": "Bob"
  },
  "demo": {
    "first": "level:1",
    "kind": "demo",
    "second": "engine"
  },
  "here": {
    "kind": "here"
  },
  "link": {
    "kind": "link"
  },
  "program": {
    "kind": "program",
    "name": "smart:5"
  }
};

export const reasons: Record<string, protocol.Reason> = {
  "all-lose": {
    "reason": "all-lose"
  },
  "answer": {
    "cells": [
      "a1",
      "e1"
    ],
    "lines": [
      [
        "a1",
        "b1",
        "c1",
        "d1"
      ],
      [
        "b1",
        "c1",
        "d1",
        "e1"
      ]
    ],
    "reason": "answer"
  },
  "block": {
    "reason": "block"
  },
  "book": {
    "depth": 12,
    "reason": "book"
  },
  "cannot-answer": {
    "cells": [
      "a1",
      "e1"
    ],
    "lines": [
      [
        "a1",
        "b1",
        "c1",
        "d1"
      ],
      [
        "b1",
        "c1",
        "d1",
        "e1"
      ]
    ],
    "reason": "cannot-answer"
  },
  "careless": {
    "reason": "careless"
  },
  "centre": {
    "reason": "centre"
  },
  "choice-index": {
    "cells": [
      {
        "cell": "b2",
        "index": 4
      }
    ],
    "reason": "choice-index"
  },
  "corner": {
    "reason": "corner"
  },
  "corridors": {
    "reason": "corridors",
    "side": "first",
    "terms": [
      {
        "count": 5,
        "name": "corridor-own",
        "weight": 2
      },
      {
        "count": 2,
        "name": "corridor-colour",
        "weight": -1
      },
      {
        "count": 1,
        "name": "corridor-two-missing",
        "weight": 5
      },
      {
        "count": 0,
        "name": "corridor-other",
        "weight": -2
      }
    ],
    "value": 13
  },
  "double-threat": {
    "cells": [
      "a1",
      "e1"
    ],
    "reason": "double-threat"
  },
  "evaluation": {
    "reason": "evaluation",
    "terms": [
      {
        "count": 2,
        "name": "odd-threats",
        "weight": 86
      }
    ]
  },
  "forced": {
    "moves": [
      "4",
      "3",
      "4"
    ],
    "reason": "forced"
  },
  "join": {
    "length": 3,
    "reason": "join"
  },
  "join-none": {
    "length": 1,
    "reason": "join"
  },
  "line": {
    "cells": [
      "a1",
      "b1",
      "c1"
    ],
    "reason": "line",
    "side": "second"
  },
  "minimax": {
    "depth": 5,
    "reason": "minimax",
    "value": -6
  },
  "opening": {
    "reason": "opening"
  },
  "proven-draw": {
    "plies": 9,
    "reason": "proven",
    "result": "draw"
  },
  "proven-loss": {
    "plies": 1,
    "reason": "proven",
    "result": "loss"
  },
  "proven-win": {
    "plies": 5,
    "reason": "proven",
    "result": "win"
  },
  "random": {
    "reason": "random"
  },
  "second-best": {
    "changes": [
      {
        "points": -172,
        "term": "odd-threats"
      }
    ],
    "moves": [
      "3",
      "4"
    ],
    "proven": null,
    "reason": "second-best",
    "score": 12
  },
  "second-best-proven": {
    "changes": [],
    "moves": [
      "3",
      "4"
    ],
    "proven": {
      "plies": 6,
      "result": "loss"
    },
    "reason": "second-best",
    "score": 0
  },
  "side": {
    "reason": "side"
  },
  "solved-blocks": {
    "cell": "d1",
    "fact": "blocks",
    "reason": "solved"
  },
  "solved-cannot-block": {
    "cells": [
      "a1",
      "e1"
    ],
    "fact": "cannot-block",
    "reason": "solved"
  },
  "solved-cannot-win": {
    "fact": "cannot-win",
    "reason": "solved",
    "side": "second"
  },
  "solved-completes-four": {
    "cell": "d1",
    "fact": "completes-four",
    "reason": "solved"
  },
  "solved-decides": {
    "by": "zugzwang",
    "fact": "decides",
    "reason": "solved",
    "standing": true,
    "threat": {
      "cell": "c3",
      "parity": "odd",
      "playable": false,
      "side": "first"
    }
  },
  "solved-decides-even": {
    "by": "above-the-reply",
    "fact": "decides",
    "reason": "solved",
    "standing": false,
    "threat": {
      "cell": "c3",
      "parity": "even",
      "playable": true,
      "side": "first"
    }
  },
  "solved-forced-plies": {
    "fact": "forced-plies",
    "plies": 4,
    "reason": "solved"
  },
  "solved-makes-two-threats": {
    "cells": [
      "a1",
      "e1"
    ],
    "fact": "makes-two-threats",
    "reason": "solved"
  },
  "solved-standing": {
    "cell": "c3",
    "fact": "standing",
    "parity": "odd",
    "playable": false,
    "reason": "solved",
    "side": "first"
  },
  "threat": {
    "cells": [
      "a1"
    ],
    "reason": "threat"
  },
  "unproven": {
    "lower": -2,
    "reason": "unproven",
    "upper": 3
  },
  "win": {
    "reason": "win"
  }
};

export const answers: Record<string, protocol.Answer> = {
  "created": {
    "ok": true,
    "table": "t"
  },
  "done": {
    "ok": true
  },
  "joined": {
    "ok": true,
    "snapshot": {
      "chat": [
        {
          "from": "Ann",
          "side": "first",
          "text": "hello"
        }
      ],
      "clocks": {
        "left_ms": [
          178000,
          180000
        ],
        "running": "second"
      },
      "code": "K7QX2M",
      "is_creator": true,
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "moves": [
        {
          "at": 1700000000000,
          "left_ms": [
            178000,
            180000
          ],
          "move": "4"
        },
        {
          "at": 1700000001000,
          "move": "4",
          "thought": {
            "candidates": [
              "b2",
              "a1"
            ],
            "depth": null,
            "line": [
              "b2"
            ],
            "move": "b2",
            "nodes": 0,
            "reasons": [],
            "score": null
          }
        }
      ],
      "offers": {
        "draw": "second"
      },
      "pace": {
        "delay_ms": 300,
        "paused": false
      },
      "presence": {
        "claim_ms": [
          null,
          55000
        ],
        "here": [
          true,
          false
        ],
        "watching": 3
      },
      "rematch": "t2",
      "result": {
        "reason": "aborted",
        "winner": null
      },
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "kind": "program",
          "name": "level:3",
          "rating": 1010
        }
      ],
      "settings": {
        "clock": {
          "increment_ms": 2000,
          "initial_ms": 180000,
          "kind": "game"
        },
        "game": "connect-four:6x7x4",
        "listed": true,
        "rated": false,
        "take_back": true
      },
      "status": "playing",
      "table": "t",
      "v": 7,
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      },
      "you": [
        "first"
      ]
    },
    "v": 7
  },
  "joined-again": {
    "missed": [
      {
        "at": 1700000002000,
        "clocks": {
          "left_ms": [
            178000,
            180000
          ],
          "running": "second"
        },
        "legal": [
          {
            "kind": "stone",
            "move": "1",
            "to": "a2"
          },
          {
            "from": "a1",
            "kind": "knight",
            "move": "a1b3",
            "to": "b3"
          }
        ],
        "move": "3",
        "ply": 3,
        "side": "first",
        "table": "t",
        "thought": {
          "candidates": [
            "4"
          ],
          "depth": 14,
          "line": [
            "4",
            "4",
            "3"
          ],
          "move": "4",
          "nodes": 12345,
          "reasons": [
            {
              "reason": "win"
            },
            {
              "changes": [
                {
                  "points": -172,
                  "term": "odd-threats"
                }
              ],
              "moves": [
                "3",
                "4"
              ],
              "proven": null,
              "reason": "second-best",
              "score": 12
            }
          ],
          "score": 31
        },
        "v": 8,
        "view": {
          "cells": [
            null,
            null,
            null,
            {
              "kind": "stone",
              "side": "first"
            },
            null,
            {
              "kind": "stone",
              "side": "second"
            }
          ],
          "cols": 3,
          "hands": [
            [
              [
                "knight",
                2
              ]
            ],
            []
          ],
          "last": [
            "c1"
          ],
          "line": null,
          "outcome": null,
          "rows": 2,
          "shape": null,
          "turn": "first"
        }
      },
      {
        "at": 1700000003000,
        "clocks": {
          "left_ms": [
            178000,
            180000
          ]
        },
        "event": {
          "kind": "draw-offered",
          "side": "first"
        },
        "table": "t",
        "v": 9
      }
    ],
    "ok": true,
    "v": 9
  },
  "moved": {
    "ok": true,
    "ply": 3,
    "v": 8
  },
  "rejected": {
    "code": "illegal-move",
    "message": "“9” is not a legal move",
    "ok": false
  }
};

export const errors: Record<string, protocol.ApiError> = {
  "bad-message": {
    "code": "bad-message",
    "message": "one sentence in English",
    "ok": false
  },
  "bad-name": {
    "code": "bad-name",
    "message": "a name has 3 to 20 letters, digits, _ or -",
    "ok": false
  },
  "bad-password": {
    "code": "bad-password",
    "message": "a password has 8 to 128 bytes",
    "ok": false
  },
  "broken": {
    "code": "broken",
    "message": "one sentence in English",
    "ok": false
  },
  "busy": {
    "code": "busy",
    "message": "one sentence in English",
    "ok": false
  },
  "common-password": {
    "code": "common-password",
    "message": "this password is too easy to guess",
    "ok": false
  },
  "foreign-origin": {
    "code": "foreign-origin",
    "message": "one sentence in English",
    "ok": false
  },
  "future-ply": {
    "code": "future-ply",
    "message": "one sentence in English",
    "ok": false
  },
  "game-over": {
    "code": "game-over",
    "message": "one sentence in English",
    "ok": false
  },
  "illegal-move": {
    "code": "illegal-move",
    "message": "one sentence in English",
    "ok": false
  },
  "name-taken": {
    "code": "name-taken",
    "message": "one sentence in English",
    "ok": false
  },
  "not-allowed": {
    "code": "not-allowed",
    "message": "one sentence in English",
    "ok": false
  },
  "not-found": {
    "code": "not-found",
    "message": "one sentence in English",
    "ok": false
  },
  "not-over": {
    "code": "not-over",
    "message": "one sentence in English",
    "ok": false
  },
  "not-seated": {
    "code": "not-seated",
    "message": "one sentence in English",
    "ok": false
  },
  "not-started": {
    "code": "not-started",
    "message": "one sentence in English",
    "ok": false
  },
  "not-your-turn": {
    "code": "not-your-turn",
    "message": "one sentence in English",
    "ok": false
  },
  "nothing-to-answer": {
    "code": "nothing-to-answer",
    "message": "one sentence in English",
    "ok": false
  },
  "seat-taken": {
    "code": "seat-taken",
    "message": "one sentence in English",
    "ok": false
  },
  "sign-in-first": {
    "code": "sign-in-first",
    "message": "one sentence in English",
    "ok": false
  },
  "stale-ply": {
    "code": "stale-ply",
    "message": "one sentence in English",
    "ok": false
  },
  "too-early": {
    "code": "too-early",
    "message": "one sentence in English",
    "ok": false
  },
  "too-fast": {
    "code": "too-fast",
    "message": "one sentence in English",
    "ok": false
  },
  "too-large": {
    "code": "too-large",
    "message": "one sentence in English",
    "ok": false
  },
  "unavailable": {
    "code": "unavailable",
    "message": "one sentence in English",
    "ok": false
  },
  "unknown-game": {
    "code": "unknown-game",
    "message": "one sentence in English",
    "ok": false
  },
  "unknown-player": {
    "code": "unknown-player",
    "message": "one sentence in English",
    "ok": false
  },
  "unknown-table": {
    "code": "unknown-table",
    "message": "one sentence in English",
    "ok": false
  },
  "wrong-password": {
    "code": "wrong-password",
    "message": "one sentence in English",
    "ok": false
  }
};

export const games: Record<string, protocol.GameInfo> = {
  "chess-five": {
    "cells": "chequered",
    "coordinates": "cells",
    "examples": [
      "Q@d",
      "d1d5"
    ],
    "falls": true,
    "id": "chess-five",
    "mover_may_lose": false,
    "phases": [
      {
        "asks": "piece and column",
        "id": "drop"
      },
      {
        "asks": "move",
        "id": "move"
      }
    ],
    "pieces": [
      {
        "count": 2,
        "glyphs": [
          "rook",
          "rook"
        ],
        "kind": "rook",
        "letters": [
          "R",
          "r"
        ],
        "name": "R",
        "symbols": [
          "R",
          "r"
        ]
      },
      {
        "count": 2,
        "glyphs": [
          "knight",
          "knight"
        ],
        "kind": "knight",
        "letters": [
          "N",
          "n"
        ],
        "name": "N",
        "symbols": [
          "N",
          "n"
        ]
      },
      {
        "count": 2,
        "glyphs": [
          "bishop",
          "bishop"
        ],
        "kind": "bishop",
        "letters": [
          "B",
          "b"
        ],
        "name": "B",
        "symbols": [
          "B",
          "b"
        ]
      },
      {
        "count": 1,
        "glyphs": [
          "queen",
          "queen"
        ],
        "kind": "queen",
        "letters": [
          "Q",
          "q"
        ],
        "name": "Q",
        "symbols": [
          "Q",
          "q"
        ]
      },
      {
        "count": 1,
        "glyphs": [
          "king",
          "king"
        ],
        "kind": "king",
        "letters": [
          "K",
          "k"
        ],
        "name": "K",
        "symbols": [
          "K",
          "k"
        ]
      }
    ],
    "sides": [
      {
        "emblem": "knight",
        "key": "solid",
        "name": "cyan"
      },
      {
        "emblem": "knight",
        "key": "outline",
        "name": "magenta"
      }
    ],
    "size": {
      "cols": {
        "least": 8,
        "most": 8,
        "usual": 8
      },
      "rows": {
        "least": 8,
        "most": 8,
        "usual": 8
      },
      "run": {
        "least": 5,
        "most": 5,
        "usual": 5
      },
      "run_fits": true
    },
    "standard": "chess-five",
    "suggested": [],
    "title": "ChessFive"
  },
  "connect-four": {
    "cells": "round-holes",
    "coordinates": "columns",
    "examples": [
      "4"
    ],
    "falls": true,
    "id": "connect-four",
    "mover_may_lose": false,
    "phases": [
      {
        "asks": "column",
        "id": "drop"
      }
    ],
    "pieces": [
      {
        "count": null,
        "glyphs": [
          "disc",
          "ring"
        ],
        "kind": "stone",
        "letters": [
          "x",
          "o"
        ],
        "name": "discs",
        "symbols": [
          "○",
          "●"
        ]
      }
    ],
    "sides": [
      {
        "emblem": "stone",
        "key": "solid",
        "name": "○"
      },
      {
        "emblem": "stone",
        "key": "outline",
        "name": "●"
      }
    ],
    "size": {
      "cols": {
        "least": 1,
        "most": 64,
        "usual": 7
      },
      "rows": {
        "least": 1,
        "most": 64,
        "usual": 6
      },
      "run": {
        "least": 3,
        "most": 16,
        "usual": 4
      },
      "run_fits": false
    },
    "standard": "connect-four:6x7x4",
    "suggested": [
      "connect-four:6x7x4",
      "connect-four:5x6x4",
      "connect-four:7x8x4",
      "connect-four:8x8x4",
      "connect-four:7x9x4",
      "connect-four:9x9x5"
    ],
    "title": "Connect Four"
  },
  "gomoku": {
    "cells": "crossings",
    "coordinates": "cells",
    "examples": [
      "h8"
    ],
    "falls": false,
    "id": "gomoku",
    "mover_may_lose": false,
    "phases": [
      {
        "asks": "cell",
        "id": "place"
      }
    ],
    "pieces": [
      {
        "count": null,
        "glyphs": [
          "disc",
          "ring"
        ],
        "kind": "stone",
        "letters": [
          "x",
          "o"
        ],
        "name": "stones",
        "symbols": [
          "○",
          "●"
        ]
      }
    ],
    "sides": [
      {
        "emblem": "stone",
        "key": "solid",
        "name": "○"
      },
      {
        "emblem": "stone",
        "key": "outline",
        "name": "●"
      }
    ],
    "size": {
      "cols": {
        "least": 3,
        "most": 25,
        "usual": 15
      },
      "rows": {
        "least": 3,
        "most": 25,
        "usual": 15
      },
      "run": {
        "least": 3,
        "most": 10,
        "usual": 5
      },
      "run_fits": true
    },
    "standard": "gomoku:15x15x5",
    "suggested": [
      "gomoku:15x15x5",
      "gomoku:9x9x5",
      "gomoku:13x13x5",
      "gomoku:19x19x5",
      "gomoku:6x6x4"
    ],
    "title": "Gomoku"
  },
  "simplexity": {
    "cells": "square-holes",
    "coordinates": "columns",
    "examples": [
      "4r",
      "4s"
    ],
    "falls": true,
    "id": "simplexity",
    "mover_may_lose": true,
    "phases": [
      {
        "asks": "column and shape",
        "id": "drop"
      }
    ],
    "pieces": [
      {
        "count": 10,
        "glyphs": [
          "round",
          "round-hollow"
        ],
        "kind": "round",
        "letters": [
          "w",
          "r"
        ],
        "name": "round",
        "symbols": [
          "○",
          "●"
        ]
      },
      {
        "count": 11,
        "glyphs": [
          "square",
          "square-hollow"
        ],
        "kind": "square",
        "letters": [
          "W",
          "R"
        ],
        "name": "square",
        "symbols": [
          "□",
          "■"
        ]
      }
    ],
    "sides": [
      {
        "emblem": "round",
        "key": "solid",
        "name": "white"
      },
      {
        "emblem": "square",
        "key": "outline",
        "name": "red"
      }
    ],
    "size": {
      "cols": {
        "least": 1,
        "most": 64,
        "usual": 7
      },
      "rows": {
        "least": 1,
        "most": 64,
        "usual": 6
      },
      "run": {
        "least": 3,
        "most": 16,
        "usual": 4
      },
      "run_fits": true
    },
    "standard": "simplexity:6x7x4:10+11",
    "suggested": [
      "simplexity:6x7x4:10+11",
      "simplexity:5x6x4:7+8",
      "simplexity:7x8x4:14+14",
      "simplexity:8x8x4:16+16",
      "simplexity:9x9x5:20+21"
    ],
    "title": "Simplexity"
  },
  "tic-tac-toe": {
    "cells": "plain",
    "coordinates": "cells",
    "examples": [
      "b2"
    ],
    "falls": false,
    "id": "tic-tac-toe",
    "mover_may_lose": false,
    "phases": [
      {
        "asks": "cell",
        "id": "place"
      }
    ],
    "pieces": [
      {
        "count": null,
        "glyphs": [
          "x",
          "o"
        ],
        "kind": "stone",
        "letters": [
          "x",
          "o"
        ],
        "name": "marks",
        "symbols": [
          "X",
          "O"
        ]
      }
    ],
    "sides": [
      {
        "emblem": "stone",
        "key": "x",
        "name": "X"
      },
      {
        "emblem": "stone",
        "key": "o",
        "name": "O"
      }
    ],
    "size": {
      "cols": {
        "least": 3,
        "most": 3,
        "usual": 3
      },
      "rows": {
        "least": 3,
        "most": 3,
        "usual": 3
      },
      "run": {
        "least": 3,
        "most": 3,
        "usual": 3
      },
      "run_fits": true
    },
    "standard": "tic-tac-toe",
    "suggested": [],
    "title": "Tic-tac-toe"
  }
};

export const requests: protocol.Request[] = [
  {
    "analyse": {
      "game": "connect-four",
      "lines": 3,
      "moves": "4 4",
      "position": "6/6 w"
    }
  },
  {
    "cancel-seek": {}
  },
  {
    "join": {
      "seen": 3,
      "table": "t",
      "view": true
    }
  },
  {
    "leave": {
      "table": "t"
    }
  },
  {
    "leave-tournament": {
      "id": "c"
    }
  },
  {
    "seek": {
      "clock": {
        "increment_ms": 2000,
        "initial_ms": 180000,
        "kind": "game"
      },
      "game": "connect-four",
      "range": 150,
      "rated": true
    }
  },
  {
    "stop-analysis": {}
  },
  {
    "think": {
      "on": true,
      "table": "t"
    }
  },
  {
    "watch-tournament": {
      "id": "c"
    }
  }
];

export const commands: protocol.Command[] = [
  {
    "chat": {
      "text": "hello"
    }
  },
  {
    "claim": {
      "result": "win"
    }
  },
  {
    "decline-draw": {}
  },
  {
    "decline-take-back": {}
  },
  {
    "make-move": {
      "lag_ms": 20,
      "move": "4",
      "ply": 3,
      "seen": 7
    }
  },
  {
    "offer-draw": {}
  },
  {
    "pace": {
      "delay_ms": 300,
      "paused": false
    }
  },
  {
    "rematch": {}
  },
  {
    "resign": {}
  },
  {
    "sit": {}
  },
  {
    "step": {}
  },
  {
    "take-back": {}
  }
];

export const pushes: protocol.Push[] = [
  {
    "analysis-ended": {
      "code": "busy",
      "message": "too many positions are being analysed; try again",
      "ok": false
    }
  },
  {
    "assessment": {
      "depth": 14,
      "done": true,
      "final": false,
      "moves": [
        {
          "line": [
            "3",
            "4",
            "3"
          ],
          "move": "3",
          "verdict": {
            "kind": "proven",
            "plies": 5,
            "result": "win"
          }
        },
        {
          "line": [
            "4",
            "3"
          ],
          "move": "4",
          "verdict": {
            "advantage": "slight",
            "chance": 0.15,
            "kind": "between",
            "least": {
              "plies": 36,
              "result": "draw"
            },
            "most": {
              "plies": 9,
              "result": "win"
            },
            "score": 31
          }
        },
        {
          "line": [
            "5"
          ],
          "move": "5",
          "verdict": {
            "chance": -0.06,
            "kind": "estimate",
            "score": -12
          }
        }
      ],
      "nodes": 12345,
      "ply": 6,
      "reasons": [
        {
          "reason": "win"
        },
        {
          "changes": [
            {
              "points": -172,
              "term": "odd-threats"
            }
          ],
          "moves": [
            "3",
            "4"
          ],
          "proven": null,
          "reason": "second-best",
          "score": 12
        }
      ],
      "table": "t",
      "time_ms": 210
    }
  },
  {
    "closing": null
  },
  {
    "move-made": {
      "at": 1700000002000,
      "clocks": {
        "left_ms": [
          178000,
          180000
        ],
        "running": "second"
      },
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "move": "3",
      "ply": 3,
      "side": "first",
      "table": "t",
      "thought": {
        "candidates": [
          "4"
        ],
        "depth": 14,
        "line": [
          "4",
          "4",
          "3"
        ],
        "move": "4",
        "nodes": 12345,
        "reasons": [
          {
            "reason": "win"
          },
          {
            "changes": [
              {
                "points": -172,
                "term": "odd-threats"
              }
            ],
            "moves": [
              "3",
              "4"
            ],
            "proven": null,
            "reason": "second-best",
            "score": 12
          }
        ],
        "score": 31
      },
      "v": 8,
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      }
    }
  },
  {
    "paired": {
      "table": "t"
    }
  },
  {
    "presence": {
      "claim_ms": [
        null,
        null
      ],
      "here": [
        true,
        true
      ],
      "table": "t",
      "watching": 0
    }
  },
  {
    "seek-ended": {
      "code": "unavailable",
      "message": "the store is unavailable",
      "ok": false
    }
  },
  {
    "table-event": {
      "at": 1700000003000,
      "clocks": {
        "left_ms": [
          178000,
          180000
        ]
      },
      "event": {
        "kind": "draw-offered",
        "side": "first"
      },
      "table": "t",
      "v": 9
    }
  },
  {
    "tournament": {
      "conditions": [
        [
          "Openings",
          "4 random moves"
        ]
      ],
      "cross_table": [
        [
          [
            0,
            0,
            0
          ]
        ]
      ],
      "format": {
        "kind": "swiss",
        "rounds": 5
      },
      "game": "connect-four:6x7x4",
      "games": [
        {
          "at": 1700000000000,
          "moves": "4 4",
          "number": 0,
          "players": [
            0,
            1
          ],
          "position": "8/8 w",
          "result": {
            "by": "play",
            "winner": "first"
          },
          "round": 0,
          "table": "t"
        }
      ],
      "id": "c",
      "name": "Chess club",
      "people": {
        "clock": {
          "kind": "none"
        },
        "ends_at": 1700000180000,
        "guests": true,
        "listed": false,
        "organiser": {
          "id": "u:1",
          "kind": "person",
          "name": "Ann",
          "rating": 1500
        },
        "rated": false,
        "sit_down_s": 60,
        "starts_at": 1700000000000
      },
      "phase": "running",
      "round": 1,
      "rounds": 5,
      "standings": [
        {
          "elo": [
            12.5,
            30.0
          ],
          "free": true,
          "occupant": {
            "id": "u:1",
            "kind": "person",
            "name": "Ann",
            "rating": 1500
          },
          "player": 0,
          "points": 1.5,
          "rank": 1,
          "rounds": [
            1.0,
            null
          ],
          "tally": [
            1,
            1,
            0
          ],
          "tie_breaks": [
            0.5
          ],
          "withdrawn": true
        }
      ],
      "tie_breaks": [
        "buchholz"
      ],
      "v": 7
    }
  }
];

export const table_stream: protocol.TableStreamLine[] = [
  {
    "missed": [
      {
        "at": 1700000002000,
        "clocks": {
          "left_ms": [
            178000,
            180000
          ],
          "running": "second"
        },
        "legal": [
          {
            "kind": "stone",
            "move": "1",
            "to": "a2"
          },
          {
            "from": "a1",
            "kind": "knight",
            "move": "a1b3",
            "to": "b3"
          }
        ],
        "move": "3",
        "ply": 3,
        "side": "first",
        "table": "t",
        "thought": {
          "candidates": [
            "4"
          ],
          "depth": 14,
          "line": [
            "4",
            "4",
            "3"
          ],
          "move": "4",
          "nodes": 12345,
          "reasons": [
            {
              "reason": "win"
            },
            {
              "changes": [
                {
                  "points": -172,
                  "term": "odd-threats"
                }
              ],
              "moves": [
                "3",
                "4"
              ],
              "proven": null,
              "reason": "second-best",
              "score": 12
            }
          ],
          "score": 31
        },
        "v": 8,
        "view": {
          "cells": [
            null,
            null,
            null,
            {
              "kind": "stone",
              "side": "first"
            },
            null,
            {
              "kind": "stone",
              "side": "second"
            }
          ],
          "cols": 3,
          "hands": [
            [
              [
                "knight",
                2
              ]
            ],
            []
          ],
          "last": [
            "c1"
          ],
          "line": null,
          "outcome": null,
          "rows": 2,
          "shape": null,
          "turn": "first"
        }
      },
      {
        "at": 1700000003000,
        "clocks": {
          "left_ms": [
            178000,
            180000
          ]
        },
        "event": {
          "kind": "draw-offered",
          "side": "first"
        },
        "table": "t",
        "v": 9
      }
    ]
  },
  {
    "move-made": {
      "at": 1700000002000,
      "clocks": {
        "left_ms": [
          178000,
          180000
        ],
        "running": "second"
      },
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "move": "3",
      "ply": 3,
      "side": "first",
      "table": "t",
      "thought": {
        "candidates": [
          "4"
        ],
        "depth": 14,
        "line": [
          "4",
          "4",
          "3"
        ],
        "move": "4",
        "nodes": 12345,
        "reasons": [
          {
            "reason": "win"
          },
          {
            "changes": [
              {
                "points": -172,
                "term": "odd-threats"
              }
            ],
            "moves": [
              "3",
              "4"
            ],
            "proven": null,
            "reason": "second-best",
            "score": 12
          }
        ],
        "score": 31
      },
      "v": 8,
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      }
    }
  },
  {
    "snapshot": {
      "chat": [
        {
          "from": "Ann",
          "side": "first",
          "text": "hello"
        }
      ],
      "clocks": {
        "left_ms": [
          178000,
          180000
        ],
        "running": "second"
      },
      "code": "K7QX2M",
      "is_creator": true,
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "moves": [
        {
          "at": 1700000000000,
          "left_ms": [
            178000,
            180000
          ],
          "move": "4"
        },
        {
          "at": 1700000001000,
          "move": "4",
          "thought": {
            "candidates": [
              "b2",
              "a1"
            ],
            "depth": null,
            "line": [
              "b2"
            ],
            "move": "b2",
            "nodes": 0,
            "reasons": [],
            "score": null
          }
        }
      ],
      "offers": {
        "draw": "second"
      },
      "pace": {
        "delay_ms": 300,
        "paused": false
      },
      "presence": {
        "claim_ms": [
          null,
          55000
        ],
        "here": [
          true,
          false
        ],
        "watching": 3
      },
      "rematch": "t2",
      "result": {
        "reason": "aborted",
        "winner": null
      },
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "kind": "program",
          "name": "level:3",
          "rating": 1010
        }
      ],
      "settings": {
        "clock": {
          "increment_ms": 2000,
          "initial_ms": 180000,
          "kind": "game"
        },
        "game": "connect-four:6x7x4",
        "listed": true,
        "rated": false,
        "take_back": true
      },
      "status": "playing",
      "table": "t",
      "v": 7,
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      },
      "you": [
        "first"
      ]
    }
  },
  {
    "table-event": {
      "at": 1700000003000,
      "clocks": {
        "left_ms": [
          178000,
          180000
        ]
      },
      "event": {
        "kind": "draw-offered",
        "side": "first"
      },
      "table": "t",
      "v": 9
    }
  }
];

export const tournament_commands: protocol.TournamentCommand[] = [
  {
    "decide": {
      "game": 2,
      "result": "replay"
    }
  },
  {
    "end": {}
  },
  {
    "enter": {}
  },
  {
    "remove": {
      "player": 3
    }
  },
  {
    "start": {}
  },
  {
    "withdraw": {}
  }
];

export const AnalysisRequest: protocol.AnalysisRequest = {
  "game": "connect-four",
  "lines": 3,
  "moves": "445566",
  "time_ms": 600
};

export const Confirmation: protocol.Confirmation = {
  "password": "correct horse"
};

export const Credentials: protocol.Credentials = {
  "name": "Ann",
  "password": "correct horse"
};

export const GameRecord: protocol.GameRecord = {
  "from": 1,
  "game": "connect-four",
  "moves": "4 4",
  "position": "6/6 w"
};

export const GuestName: protocol.GuestName = {
  "name": "Amber Otter"
};

export const KeptGame: protocol.KeptGame = {
  "ended_at": 1780000000000,
  "id": "here-abc123",
  "moves": "a1 b1",
  "result": {
    "reason": "resignation",
    "winner": "first"
  },
  "table": {
    "clock": {
      "kind": "none"
    },
    "game": "tic-tac-toe",
    "listed": false,
    "opponent": {
      "kind": "here"
    },
    "rated": false,
    "side": "first",
    "take_back": true
  }
};

export const NewPassword: protocol.NewPassword = {
  "new": "battery staple",
  "old": "correct horse"
};

export const NewReport: protocol.NewReport = {
  "reason": "abuse",
  "side": "second",
  "table": "abc123",
  "text": "insults in the chat"
};

export const NewTable: protocol.NewTable = {
  "clock": {
    "days": 3,
    "kind": "correspondence"
  },
  "game": "connect-four:8x9x5",
  "listed": false,
  "opponent": {
    "kind": "program",
    "name": "level:3"
  },
  "position": "8/8 w",
  "rated": false,
  "side": "random",
  "take_back": true
};

export const NewToken: protocol.NewToken = {
  "label": "my bot"
};

export const NewTournament: protocol.NewTournament = {
  "clock": {
    "increment_ms": 2000,
    "initial_ms": 180000,
    "kind": "game"
  },
  "format": {
    "kind": "arena",
    "minutes": 30
  },
  "game": "connect-four",
  "guests": true,
  "listed": true,
  "name": "Chess club",
  "rated": true,
  "sit_down_s": 60,
  "starts_at": 1700000000000
};

export const PuzzleAttempt: protocol.PuzzleAttempt = {
  "help": false,
  "moves": [
    "4",
    "3"
  ],
  "refute": true
};

export const Recovery: protocol.Recovery = {
  "code": "0123-4567-89ab-cdef-0123-4567",
  "name": "Ann",
  "password": "battery staple"
};

export const AccountData: protocol.AccountData = {
  "profile": {
    "bot": false,
    "created_at": 1700000000000,
    "draws": 1,
    "id": "u:2",
    "losses": 6,
    "name": "Bob",
    "ratings": [
      {
        "deviation": 80.25,
        "game": "connect-four",
        "games": 12,
        "kind": "fast",
        "rating": 1512.5
      }
    ],
    "wins": 5
  },
  "puzzles": {
    "ratings": [
      {
        "deviation": 120.25,
        "game": "connect-four",
        "puzzles": 9,
        "rating": 1612.5
      }
    ],
    "tried": [
      {
        "at": 1700000000000,
        "id": "connect-four-54",
        "rating": 1320,
        "solved": true,
        "themes": [
          "double-threat"
        ]
      }
    ]
  },
  "sessions": [
    {
      "agent": "browser",
      "created_at": 1700000000000,
      "current": true,
      "id": "1",
      "seen_at": 1700000100000
    }
  ],
  "tables": [
    {
      "clock": {
        "kind": "none"
      },
      "created_at": 1700000000000,
      "game": "connect-four:6x7x4",
      "ply": 12,
      "rated": false,
      "reason": "time",
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "id": "u:2",
          "kind": "person",
          "name": "Bob",
          "rating": 1512
        }
      ],
      "status": "ended",
      "table": "t",
      "updated_at": 1700000100000,
      "winner": "second"
    }
  ],
  "tokens": [
    {
      "created_at": 1700000000000,
      "id": "1",
      "label": "my bot"
    }
  ]
};

export const Assessment: protocol.Assessment = {
  "depth": 14,
  "done": true,
  "final": false,
  "moves": [
    {
      "line": [
        "3",
        "4",
        "3"
      ],
      "move": "3",
      "verdict": {
        "kind": "proven",
        "plies": 5,
        "result": "win"
      }
    },
    {
      "line": [
        "4",
        "3"
      ],
      "move": "4",
      "verdict": {
        "advantage": "slight",
        "chance": 0.15,
        "kind": "between",
        "least": {
          "plies": 36,
          "result": "draw"
        },
        "most": {
          "plies": 9,
          "result": "win"
        },
        "score": 31
      }
    },
    {
      "line": [
        "5"
      ],
      "move": "5",
      "verdict": {
        "advantage": "even",
        "chance": -0.06,
        "kind": "estimate",
        "score": -12
      }
    }
  ],
  "nodes": 12345,
  "ply": 6,
  "reasons": [
    {
      "reason": "win"
    },
    {
      "changes": [
        {
          "points": -172,
          "term": "odd-threats"
        }
      ],
      "moves": [
        "3",
        "4"
      ],
      "proven": null,
      "reason": "second-best",
      "score": 12
    }
  ],
  "time_ms": 210
};

export const GameEntry: protocol.GameEntry = {
  "cells": "plain",
  "coordinates": "cells",
  "examples": [
    "e5"
  ],
  "falls": false,
  "id": "hexago",
  "levels": [
    {
      "character": "first games",
      "level": 1,
      "name": "Dot",
      "rating": 800
    },
    {
      "character": "hardest",
      "level": 2,
      "name": "Horizon"
    }
  ],
  "mover_may_lose": false,
  "phases": [
    {
      "asks": "cell",
      "id": "place"
    }
  ],
  "pieces": [
    {
      "count": null,
      "glyphs": [
        "pebble",
        "pebble-hollow"
      ],
      "kind": "pebble",
      "letters": [
        "x",
        "o"
      ],
      "name": "pebbles",
      "symbols": [
        "○",
        "●"
      ]
    }
  ],
  "players": [
    "level:1",
    "level:2",
    "random",
    "engine"
  ],
  "sides": [
    {
      "emblem": "pebble",
      "key": "dawn",
      "name": "Dawn"
    },
    {
      "emblem": "pebble",
      "key": "dusk",
      "name": "Dusk"
    }
  ],
  "size": {
    "cols": {
      "least": 5,
      "most": 19,
      "usual": 9
    },
    "rows": {
      "least": 5,
      "most": 19,
      "usual": 9
    },
    "run": {
      "least": 3,
      "most": 8,
      "usual": 5
    },
    "run_fits": true
  },
  "standard": "hexago:9x9x5",
  "suggested": [
    "hexago:9x9x5",
    "hexago:11x11x6"
  ],
  "title": "Hexago"
};

export const GuestWords: protocol.GuestWords = {
  "first": [
    "Amber"
  ],
  "second": [
    "Otter"
  ]
};

export const Me: protocol.Me = {
  "account": true,
  "id": "u:2",
  "name": "Bob"
};

export const Paired: protocol.Paired = {
  "table": "t"
};

export const Profile: protocol.Profile = {
  "bot": false,
  "created_at": 1700000000000,
  "draws": 1,
  "id": "u:2",
  "losses": 6,
  "name": "Bob",
  "ratings": [
    {
      "deviation": 80.25,
      "game": "connect-four",
      "games": 12,
      "kind": "fast",
      "rating": 1512.5
    }
  ],
  "wins": 5
};

export const Puzzle: protocol.Puzzle = {
  "depth": 24,
  "exact": true,
  "game": "connect-four:6x7x4",
  "goal": "win",
  "id": "connect-four-54",
  "moves": "4 4",
  "rating": 1320,
  "steps": 2,
  "themes": [
    "double-threat",
    "quiet"
  ],
  "view": {
    "cells": [
      null,
      null,
      null,
      {
        "kind": "stone",
        "side": "first"
      },
      null,
      {
        "kind": "stone",
        "side": "second"
      }
    ],
    "cols": 3,
    "hands": [
      [
        [
          "knight",
          2
        ]
      ],
      []
    ],
    "last": [
      "c1"
    ],
    "line": null,
    "outcome": null,
    "rows": 2,
    "shape": null,
    "turn": "first"
  }
};

export const PuzzleProgress: protocol.PuzzleProgress = {
  "ratings": [
    {
      "deviation": 120.25,
      "game": "connect-four",
      "puzzles": 9,
      "rating": 1612.5
    }
  ],
  "tried": [
    {
      "at": 1700000000000,
      "id": "connect-four-54",
      "rating": 1320,
      "solved": true,
      "themes": [
        "double-threat"
      ]
    }
  ]
};

export const PuzzleRecord: protocol.PuzzleRecord = {
  "depth": 7,
  "game": "tic-tac-toe",
  "goal": "hold",
  "moves": [
    "a1",
    "b2"
  ],
  "number": 1,
  "position": "3/1x1/o2 b",
  "rating": 1168,
  "side": "second",
  "solution": [
    "c3"
  ],
  "themes": [
    "draw"
  ]
};

export const PuzzleStep: protocol.PuzzleStep = {
  "course": [
    "3"
  ],
  "help": {
    "from": "a1",
    "solution": [
      "4"
    ],
    "theme": "double-threat",
    "to": "d4"
  },
  "rating": {
    "after": 1420.25,
    "before": 1500.5,
    "deviation": 290.5
  },
  "refutation": {
    "line": [
      "5",
      "5",
      "2"
    ],
    "moves": 2,
    "why": "loses"
  },
  "result": "wrong"
};

export const RankingEntry: protocol.RankingEntry = {
  "bot": false,
  "deviation": 80.25,
  "games": 12,
  "name": "Bob",
  "place": 1,
  "rating": 1512.5
};

export const RatingPoint: protocol.RatingPoint = {
  "at": 1700000000000,
  "deviation": 80.25,
  "rating": 1512.5,
  "table": "t"
};

export const RecoveryCode: protocol.RecoveryCode = {
  "code": "0123-4567-89ab-cdef-0123-4567"
};

export const Replay: protocol.Replay = {
  "game": "connect-four:6x7x4",
  "moves": 1,
  "plies": [
    {
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "ply": 0,
      "position": "3/3 w",
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      }
    },
    {
      "legal": [
        {
          "kind": "stone",
          "move": "1",
          "to": "a2"
        },
        {
          "from": "a1",
          "kind": "knight",
          "move": "a1b3",
          "to": "b3"
        }
      ],
      "move": "4",
      "ply": 1,
      "position": "3/3 w",
      "view": {
        "cells": [
          null,
          null,
          null,
          {
            "kind": "stone",
            "side": "first"
          },
          null,
          {
            "kind": "stone",
            "side": "second"
          }
        ],
        "cols": 3,
        "hands": [
          [
            [
              "knight",
              2
            ]
          ],
          []
        ],
        "last": [
          "c1"
        ],
        "line": null,
        "outcome": null,
        "rows": 2,
        "shape": null,
        "turn": "first"
      }
    }
  ]
};

export const ReviewedMove: protocol.ReviewedMove = {
  "best": {
    "line": [
      "4",
      "3"
    ],
    "move": "4",
    "verdict": {
      "kind": "proven",
      "plies": 5,
      "result": "win"
    }
  },
  "chance": -1.0,
  "depth": 8,
  "loss": 2.0,
  "mark": "throws-win",
  "number": 9,
  "played": {
    "line": [
      "3",
      "4"
    ],
    "move": "3",
    "verdict": {
      "kind": "proven",
      "plies": 8,
      "result": "loss"
    }
  },
  "remark": "quicker-win",
  "side": "first"
};

export const ServerInfo: protocol.ServerInfo = {
  "chat": true,
  "imprint": "A school.",
  "privacy": "Nothing is given away.",
  "sign_up": false,
  "version": "0.2.0"
};

export const SessionSummary: protocol.SessionSummary = {
  "agent": "browser",
  "created_at": 1700000000000,
  "current": true,
  "id": "1",
  "seen_at": 1700000100000
};

export const TableCreated: protocol.TableCreated = {
  "code": "K7QX2M",
  "table": "t"
};

export const TableList: protocol.TableList = {
  "next": "1700000000000-t",
  "tables": [
    {
      "clock": {
        "kind": "none"
      },
      "clocks": {
        "left_ms": [
          61000,
          59500
        ],
        "running": "first"
      },
      "created_at": 1700000000000,
      "game": "connect-four:6x7x4",
      "ply": 12,
      "rated": false,
      "reason": "time",
      "seats": [
        {
          "id": "g:1",
          "kind": "person",
          "name": "Ann"
        },
        {
          "id": "u:2",
          "kind": "person",
          "name": "Bob",
          "rating": 1512
        }
      ],
      "status": "ended",
      "table": "t",
      "updated_at": 1700000100000,
      "watching": 64,
      "winner": "second"
    }
  ]
};

export const TokenCreated: protocol.TokenCreated = {
  "id": "1",
  "token": "secret"
};

export const TokenSummary: protocol.TokenSummary = {
  "created_at": 1700000000000,
  "id": "1",
  "label": "my bot"
};

export const TournamentCreated: protocol.TournamentCreated = {
  "id": "c"
};

export const TournamentSummary: protocol.TournamentSummary = {
  "format": {
    "kind": "round-robin"
  },
  "game": "connect-four:6x7x4",
  "id": "c",
  "name": "Chess club",
  "phase": "entry",
  "players": 4,
  "programs": false,
  "starts_at": 1700000000000,
  "updated_at": 1700000000000
};
