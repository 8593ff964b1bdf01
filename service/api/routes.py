"""Every route but the hot one (`service.api.commands`), and what handlers can ask for."""

from __future__ import annotations

from litestar.di import Provide

from service.api import (
    accounts,
    contract,
    events,
    export,
    games,
    health,
    packs,
    posts,
    rules,
    seats,
    sides,
    tickets,
    views,
)
from service.api.callers import provide_caller, provide_service

ROUTES = (
    games.options_of_games,
    games.open_game,
    games.list_games,
    games.get_game,
    games.start_game,
    games.close_game,
    seats.claim_seat,
    seats.replace_seat,
    seats.join_spectators,
    seats.join_referee,
    seats.rotate_token,
    views.get_view,
    views.get_decisions,
    posts.get_post,
    sides.options_of_messages,
    sides.options_of_orders,
    sides.get_messages,
    sides.post_message,
    sides.erase_message,
    sides.get_orders,
    sides.leave_orders,
    sides.withdraw_orders,
    events.get_events,
    tickets.make_ticket,
    export.export_game,
    accounts.open_account,
    accounts.get_account,
    accounts.get_account_events,
    accounts.options_of_binding,
    accounts.bind_token,
    accounts.unbind_token,
    packs.list_packs,
    packs.get_pack,
    rules.list_rules,
    rules.get_rule,
    health.get_live,
    health.get_ready,
    contract.get_contract,
)


DEPENDENCIES = {
    "service": Provide(provide_service, sync_to_thread=False),
    "caller": Provide(provide_caller),
}
