"""What a process of the API does about delivery: everything, or, where there is a queue of jobs, no more than to say what there is to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.ports.sending import Sender
from service.settings import BadSetting, Settings
from service.store.port import LogStore
from service.store.records import WebhookStore
from service.webhooks.delivery import Delivery, Pace
from service.webhooks.finding import Finding, Looks

if TYPE_CHECKING:
    from service.webhooks.jobs import Jobs

AT_ONCE = 32
"""Endpoints that one process sends to at once."""


class Delivering:
    """Delivery in a process that serves the API."""

    def __init__(
        self,
        store: WebhookStore,
        games: LogStore,
        sender: Sender,
        delivery: Delivery,
        jobs: Jobs | None,
        settings: Settings,
    ) -> None:
        """Deliver by tasks of this process, or through the queue if there is one."""
        self.store = store
        self.delivery = delivery
        self._sender = sender
        self._patience = settings.shutdown
        self._jobs = jobs
        self._looks: Looks | None = None
        if jobs is not None:
            self.finding = Finding(store, games, jobs.hand_over, every=0)
        else:
            self._looks = Looks(delivery.look, at_once=AT_ONCE)
            self.finding = Finding(store, games, self._looks.take, every=settings.webhook_sweep)

    def start(self) -> None:
        """Begin, as tasks of the loop that is running."""
        self.finding.start()

    async def close(self) -> None:
        """Find nothing more, end what is under way, let go of the store."""
        await self.finding.close()
        self.delivery.stop()
        if self._looks is not None:
            await self._looks.close(self._patience)
        if self._jobs is not None:
            self._jobs.close()
        await self._sender.close()
        await self.store.close()


def pace(settings: Settings) -> Pace:
    """When messages are tried again, as set.

    Raises:
        BadSetting: the settings say something else than seconds.
    """
    try:
        retries = [float(one) for one in settings.webhook_retries.split(",") if one.strip()]
    except ValueError:
        retries = [-1.0]
    if not all(0 <= one < float("inf") for one in retries):
        raise BadSetting(f"OMENLOG_WEBHOOK_RETRIES={settings.webhook_retries}: write seconds, separated by commas")
    if not 0 < settings.webhook_timeout <= 120:  # noqa: PLR2004 -- two minutes, far below `jobs.LONGEST`
        raise BadSetting(
            f"OMENLOG_WEBHOOK_TIMEOUT={settings.webhook_timeout:g}: write seconds, more than 0, at most 120"
        )
    if settings.webhook_sweep <= 0:
        raise BadSetting(f"OMENLOG_WEBHOOK_SWEEP={settings.webhook_sweep:g}: write seconds, more than 0")
    return Pace(retries=retries, timeout=settings.webhook_timeout)
